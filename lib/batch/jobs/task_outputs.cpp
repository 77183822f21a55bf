// The files that a task writes.

#include "batch/jobs/job_paths.h"
#include "batch/jobs/path_names.h"
#include "skinbake/tool/batch/batch_plan.h"

namespace skinbake {

namespace {

// Keys whose values are files that the command writes.
constexpr const char* kOutputKeys[] = {"output",   "error-matrix", "report",  "html",
                                       "markdown", "junit",        "depfile", "timing"};

}  // namespace

std::vector<std::string> BatchPlan::outputs(const BatchTask& task) const {
  const std::string& command = manifest_.jobs[task.job].command;
  const std::vector<Setting> all = settings(task.job);
  const PathNames names = path_names(command, all, name(task), facts_of(task), clip_ids(task, all));
  std::vector<std::string> outputs;
  for (const char* key : kOutputKeys) {
    const std::vector<std::string>* const values = find_values(all, key);
    if (values == nullptr) continue;
    for (const std::string& value : *values) {
      if (value == "-") continue;
      const std::vector<std::string> paths = names.paths_of(value, expands_itself(command, key));
      outputs.insert(outputs.end(), paths.begin(), paths.end());
    }
  }
  return outputs;
}

std::vector<std::string> BatchPlan::written_files(const BatchTask& task) const {
  std::vector<std::string> files = outputs(task);
  const std::size_t count = files.size();
  for (std::size_t i = 0; i < count; ++i) files.push_back(files[i] + ".json");  // its sidecar
  return files;
}

}  // namespace skinbake
