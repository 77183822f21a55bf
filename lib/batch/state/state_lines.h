// The lines of a state file.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "batch/state/batch_state.h"

namespace skinbake {

// Each returns a line that ends in '\n'. All but the head have the hash of their other members.
std::string state_head();
std::string state_line(const StateRun& run);
std::string state_line(const TaskRecord& record);
std::string state_line(const PlannedRig& rig, std::span<const StateFile> files);

// The facts of a rig and the files that they were read from.
struct KnownRig {
  PlannedRig rig;
  std::vector<StateFile> files;
};

// A parsed line. At most one member is set; none: the line is damaged, or not as it was written.
struct StateLine {
  bool is_head = false;
  std::optional<StateRun> run;
  std::optional<TaskRecord> record;
  std::optional<KnownRig> rig;

  explicit operator bool() const { return is_head || run || record || rig; }
};
StateLine parse_state_line(const std::string& line);

}  // namespace skinbake
