// The files that tasks read and write.

#include "batch/jobs/task_files.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/paths.h"
#include "batch/jobs/batch_plan.h"
#include "batch/jobs/job_paths.h"
#include "compare/library_pairs.h"
#include "gltf/document/named_files.h"
#include "methods/method_list.h"
#include "report/report.h"
#include "report/report_form.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

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
std::vector<std::string> files_named_by_value(const ManifestKey& key, const std::string& value) {
  constexpr std::string_view kPoses = "poses:";
  if (key.file == FileUse::kRead) return {value};
  if (key.file != FileUse::kMayRead) return {};
  if (value.starts_with(kPoses)) return {value.substr(kPoses.size())};
  std::string file = file_of_clip(value);
  if (!file.empty()) return {std::move(file)};
  return is_cache(value) ? std::vector{value} : std::vector<std::string>{};
}

void add_with_files_beside(const std::string& path, std::vector<std::string>& files) {
  files.push_back(path);
  files.push_back(path + ".json");  // the sidecar of a cache
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
  const ManifestCommand& command = command_of(manifest_.jobs[task.job]);
  const std::vector<Setting> all = settings(task.job);
  const TaskName named = name(task);
  std::vector<std::pair<std::string, bool>> files;  // with whether the command replaces {clip}
  for (const Setting& setting : all) {
    if (setting.key == "rig") continue;
    const ManifestKey& key = *command.find(setting.key);
    const bool is_one = key.name == "clip" && !named.clip.empty();
    for (const std::string& value : is_one ? std::vector{named.clip} : setting.values) {
      for (std::string& file : files_named_by_value(key, value)) {
        files.emplace_back(std::move(file), key.expands);
      }
    }
  }
  std::vector<std::string> inputs;
  if (files.empty()) return inputs;  // as for most of a million tasks
  const PathNames names = path_names_of(task, all);
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

namespace {

std::vector<std::string> values_of(const std::vector<Setting>& settings, std::string_view key) {
  const std::vector<std::string>* const values = find_values(settings, key);
  return values == nullptr ? std::vector<std::string>{} : *values;
}

// The files of the values of a key.
std::vector<std::string> files_of(const ManifestKey& key, const std::vector<Setting>& settings,
                                  const PathNames& names) {
  std::vector<std::string> files;
  for (const std::string& value : values_of(settings, key.name)) {
    for (std::string& path : names.paths_of(key.path_of(value), key.expands))
      files.push_back(std::move(path));
  }
  return files;
}

// The sidecar of an output that is a cache, and the files that its format may write beside it.
void add_files_beside(const std::string& cache, std::vector<std::string>& files) {
  try {
    const CacheFormat& format = cache_format_of(cache);
    files.push_back(cache + ".json");
    if (format.possible_auxiliary_files == nullptr) return;
    const std::vector<std::string> beside = format.possible_auxiliary_files(cache);
    files.insert(files.end(), beside.begin(), beside.end());
  } catch (const Error&) {
    // It is no cache, or the task refuses its format.
  }
}

// The names of the runs of a clip in reports. Methods that are wrong have none: the task refuses
// them.
std::vector<std::string> run_names(const std::string& command, const std::vector<Setting>& settings,
                                   const std::string& method) {
  if (command == "bake") return {method};
  std::vector<std::string> methods = values_of(settings, "method");
  if (methods.empty()) methods = {"lbs", "dqs"};
  std::vector<std::string> profiles = values_of(settings, "profile"), names;
  profiles.insert(profiles.begin(), "");  // the unmodified rig
  try {
    for (const std::string& one : method_names(methods)) {
      for (const std::string& profile : profiles) names.push_back(run_name(one, profile));
    }
  } catch (const Error&) {
    return {};
  }
  return names;
}

// The arrays of `--per-vertex npy`, which stand beside the report.
void add_arrays(const ManifestCommand& command, const std::vector<Setting>& settings,
                const PathNames& names, std::vector<std::string>& files) {
  const ManifestKey* const report = command.find("report");
  if (report == nullptr || values_of(settings, "per-vertex") != std::vector<std::string>{"npy"}) {
    return;
  }
  for (const std::string& path : files_of(*report, settings, names)) {
    if (!has_extension(path, ".json")) continue;
    if (command.name == "diff") {
      files.push_back(per_vertex_path(path, {}));
      continue;
    }
    for (const std::string& run : run_names(command.name, settings, names.method)) {
      for (const std::string& clip : names.clips) {
        for (const std::string& mesh : names.meshes) {
          files.push_back(per_vertex_path(path, {mesh, clip, run}));
        }
      }
    }
  }
}

}  // namespace

PathNames BatchPlan::path_names_of(const BatchTask& task, const std::vector<Setting>& all) const {
  return path_names(manifest_.jobs[task.job].command, all, name(task), facts_of(task),
                    clip_ids(task, all));
}

std::vector<std::string> BatchPlan::outputs(const BatchTask& task) const {
  const std::vector<Setting> all = settings(task.job);
  const PathNames names = path_names_of(task, all);
  std::vector<std::string> outputs;
  for (const ManifestKey& key : command_of(manifest_.jobs[task.job]).keys) {
    if (key.file != FileUse::kWrite) continue;
    std::vector<std::string> files = files_of(key, all, names);
    std::move(files.begin(), files.end(), std::back_inserter(outputs));
  }
  return outputs;
}

std::vector<std::string> BatchPlan::written_files(const BatchTask& task) const {
  const std::vector<Setting> all = settings(task.job);
  const std::vector<std::string> outputs = this->outputs(task);
  std::vector<std::string> files = outputs;
  for (const std::string& output : outputs) add_files_beside(output, files);
  add_arrays(command_of(manifest_.jobs[task.job]), all, path_names_of(task, all), files);
  return files;
}

}  // namespace skinbake
