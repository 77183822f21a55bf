// The files that a task writes.

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "batch/jobs/batch_plan.h"
#include "batch/jobs/job_paths.h"
#include "batch/jobs/path_names.h"
#include "methods/method_list.h"
#include "report/per_vertex_path.h"
#include "report/report.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::string_view kCache = "output";

// Keys whose values are files that the command writes.
constexpr std::array<std::string_view, 8> kOutputKeys{
    kCache, "error-matrix", "report", "html", "markdown", "junit", "depfile", "timing"};

std::vector<std::string> values_of(const std::vector<Setting>& settings, std::string_view key) {
  const std::vector<std::string>* const values = find_values(settings, key);
  return values == nullptr ? std::vector<std::string>{} : *values;
}

// The files of the values of a key.
std::vector<std::string> files_of(std::string_view key, const std::string& command,
                                  const std::vector<Setting>& settings, const PathNames& names) {
  std::vector<std::string> files;
  for (const std::string& value : values_of(settings, key)) {
    if (value == "-") continue;
    const bool command_expands = expands_itself(command, std::string(key));
    for (std::string& path : names.paths_of(value, command_expands)) {
      files.push_back(std::move(path));
    }
  }
  return files;
}

// The sidecar of a cache, and the files that its format may write beside it.
void add_files_beside(const std::string& cache, std::vector<std::string>& files) {
  files.push_back(cache + ".json");
  try {
    const CacheFormat& format = cache_format_of(cache);
    if (format.possible_auxiliary_files == nullptr) return;
    const std::vector<std::string> beside = format.possible_auxiliary_files(cache);
    files.insert(files.end(), beside.begin(), beside.end());
  } catch (const Error&) {
    // The task refuses a format that it does not know.
  }
}

// The names of the runs of a clip in reports. Methods that are wrong have none: the task refuses
// them.
std::vector<std::string> run_names(const std::string& command, const std::vector<Setting>& settings,
                                   const std::string& method) {
  if (command == "bake") return {method};
  std::string list;
  for (const std::string& value : values_of(settings, "methods")) {
    list += (list.empty() ? "" : ",") + value;
  }
  std::vector<std::string> profiles = values_of(settings, "profile"), names;
  profiles.insert(profiles.begin(), "");  // the unmodified rig
  try {
    for (const std::string& one : split_methods(list.empty() ? "lbs,dqs" : list)) {
      for (const std::string& profile : profiles) names.push_back(run_name(one, profile));
    }
  } catch (const Error&) {
    return {};
  }
  return names;
}

// The arrays of `--per-vertex npy`, which stand beside the report.
void add_arrays(const std::string& command, const std::vector<Setting>& settings,
                const PathNames& names, std::vector<std::string>& files) {
  if (values_of(settings, "per-vertex") != std::vector<std::string>{"npy"}) return;
  for (const std::string& report : files_of("report", command, settings, names)) {
    if (command == "diff") {
      files.push_back(per_vertex_path(report, {}));
      continue;
    }
    for (const std::string& run : run_names(command, settings, names.method)) {
      for (const std::string& clip : names.clips) {
        for (const std::string& mesh : names.meshes) {
          files.push_back(per_vertex_path(report, {mesh, clip, run}));
        }
      }
    }
  }
}

}  // namespace

std::vector<std::string> BatchPlan::outputs(const BatchTask& task) const {
  const std::string& command = manifest_.jobs[task.job].command;
  const std::vector<Setting> all = settings(task.job);
  const PathNames names = path_names(command, all, name(task), facts_of(task), clip_ids(task, all));
  std::vector<std::string> outputs;
  for (const std::string_view key : kOutputKeys) {
    std::vector<std::string> files = files_of(key, command, all, names);
    std::move(files.begin(), files.end(), std::back_inserter(outputs));
  }
  return outputs;
}

std::vector<std::string> BatchPlan::written_files(const BatchTask& task) const {
  const std::string& command = manifest_.jobs[task.job].command;
  const std::vector<Setting> all = settings(task.job);
  const PathNames names = path_names(command, all, name(task), facts_of(task), clip_ids(task, all));
  std::vector<std::string> files = outputs(task);
  for (const std::string& cache : files_of(kCache, command, all, names)) {
    add_files_beside(cache, files);
  }
  add_arrays(command, all, names, files);
  return files;
}

}  // namespace skinbake
