// The outputs of a manifest, for commands that read them.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skinbake::cli {

struct PlannedOutput {
  std::string path;  // as its job names it: relative to the folder of the manifest, or absolute
  std::string rig;   // the same of the task's rig; empty: the task has none
};

// The files that the tasks of a manifest write. Loads its rigs. Throws Error. Not for tasks of a
// batch, because it changes the folder of the process meanwhile.
std::vector<PlannedOutput> planned_outputs(const std::string& manifest, std::uint64_t max_memory);

// Does the tasks of a manifest that are not up to date, as `skinbake batch` does, without its
// table. Returns its exit code. Throws as planned_outputs.
int bring_up_to_date(const std::string& manifest, std::uint64_t max_memory);

}  // namespace skinbake::cli
