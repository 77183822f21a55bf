// What the placeholders of a task's paths become.

#pragma once

#include <string>
#include <vector>

#include "batch/jobs/batch_plan.h"

namespace skinbake {

// Without a method, {method} stays.
struct PathNames {
  std::string rig;   // its path
  std::string clip;  // as the task names it; empty: the task has all of `clips`
  std::vector<std::string> clips, meshes;  // ids
  std::string method;                      // canonical

  // `command_expands`: the command replaces {mesh}, {clip} and {method} itself, by ids.
  std::vector<std::string> paths_of(const std::string& value, bool command_expands) const;
};

// `rig`: null if it is not known. `clips`: the ids that the command gives the clips of the task.
PathNames path_names(const std::string& command, const std::vector<Setting>& settings,
                     const TaskName& task, const RigFacts* rig, std::vector<std::string> clips);

}  // namespace skinbake
