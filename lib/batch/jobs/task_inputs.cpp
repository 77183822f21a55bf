#include "batch/jobs/task_inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files/file_name.h"
#include "batch/jobs/batch_plan.h"
#include "batch/jobs/job_paths.h"
#include "batch/jobs/path_names.h"
#include "compare/library_pairs.h"
#include "gltf/document/named_files.h"
#include "report/per_vertex_path.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Keys whose values are files or folders that the command reads, whatever their names are like.
constexpr std::array<std::string_view, 7> kInputKeys{
    "a", "b", "map", "rig-a", "rig-b", "joint-params", "target"};

bool is_rig(std::string_view path) {
  return has_extension(path, ".gltf") || has_extension(path, ".glb") || has_extension(path, ".vrm");
}

bool is_cache(std::string_view path) {
  const auto formats = cache_formats();
  return std::any_of(formats.begin(), formats.end(), [&](const CacheFormat& format) {
    return has_extension(path, format.extension) ||
           (!format.other_extension.empty() && has_extension(path, format.other_extension));
  });
}

// The files that a value names: "arms.json" of the clip "poses:arms.json", "run.glb" of
// "run.glb#Run".
std::vector<std::string> files_named_by_value(const std::string& key, const std::string& value) {
  constexpr std::string_view kPoses = "poses:";
  if (std::find(kInputKeys.begin(), kInputKeys.end(), key) != kInputKeys.end()) return {value};
  if (key == "reference" && is_cache(value)) return {value};  // else a method
  if (key != "clip") return {};
  if (value.starts_with(kPoses)) return {value.substr(kPoses.size())};
  std::string file = file_of_clip(value);
  return file.empty() ? std::vector<std::string>{} : std::vector{std::move(file)};
}

void add_with_files_beside(const std::string& path, std::vector<std::string>& files) {
  files.push_back(path);
  files.push_back(path + ".json");  // the sidecar of a cache
  if (has_extension(path, ".json")) {
    for (std::string& array : arrays_named_by(path)) files.push_back(std::move(array));
  }
  if (has_extension(path, ".exr") || has_extension(path, ".png")) files.push_back(path + ".glb");
  if (!is_rig(path) && !has_extension(path, ".vrma")) return;
  for (std::string& named : files_named_by(path)) files.push_back(std::move(named));
}

}  // namespace

bool is_of_library(std::string_view name) {
  constexpr std::string_view kSidecar = ".json";
  if (name.ends_with(kSidecar)) name.remove_suffix(kSidecar.size());
  return is_rig(name) || is_cache(name);
}

std::vector<std::string> BatchPlan::inputs(const BatchTask& task) const {
  const std::string& command = manifest_.jobs[task.job].command;
  const std::vector<Setting> all = settings(task.job);
  const TaskName named = name(task);
  std::vector<std::pair<std::string, bool>> files;  // with whether the command replaces {clip}
  for (const Setting& setting : all) {
    const bool is_one = setting.key == "clip" && !named.clip.empty();
    for (const std::string& value : is_one ? std::vector{named.clip} : setting.values) {
      for (std::string& file : files_named_by_value(setting.key, value)) {
        files.emplace_back(std::move(file), expands_itself(command, setting.key));
      }
    }
  }
  std::vector<std::string> inputs;
  if (files.empty()) return inputs;  // as for most of a million tasks
  const PathNames names = path_names(command, all, named, facts_of(task), clip_ids(task, all));
  for (const auto& [file, command_expands] : files) {
    const std::vector<std::string> paths = names.paths_of(file, command_expands);
    inputs.insert(inputs.end(), paths.begin(), paths.end());
  }
  return inputs;
}

std::string BatchPlan::bind_cache(const BatchTask& task) const {
  const std::vector<Setting> all = settings(task.job);
  const std::vector<std::string>* const folder = find_values(all, "bind-cache");
  if (folder == nullptr || folder->empty()) return "";
  const TaskName named = name(task);
  return with_names(folder->back(), named.rig, named.clip.empty() ? nullptr : &named.clip);
}

std::vector<std::string> files_of_input(const std::string& input) {
  std::vector<std::string> files;
  std::error_code unknown;
  if (!std::filesystem::is_directory(input, unknown)) {
    add_with_files_beside(input, files);
    return files;
  }
  try {
    for (const LibraryFile& file : files_in_library(input)) {
      if (is_of_library(file.name)) add_with_files_beside(file.path, files);
    }
  } catch (const Error&) {
    // The task says why the folder cannot be read.
  }
  return files;
}

}  // namespace skinbake
