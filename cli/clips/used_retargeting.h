// The settings that moved the rig, for reports.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "clips/clip_source.h"
#include "report/report.h"
#include "skinbake/clip_file.h"

namespace skinbake::cli {

// Collects the settings of the clips, which are added in any order.
class UsedRetargeting {
 public:
  // `source` must outlive the object.
  explicit UsedRetargeting(const ClipSource& source) : source_(source) {}

  // A clip of the rig that plays as it is.
  void keep() { is_uniform_ = false; }

  void add(RetargetMode mode);
  void add_motion();
  void add_of_file(const MatchedClip& clip, const ClipFile& file);
  void add_poses() { settings_.pose_fps = source_.fps; }
  void add_ranges(const std::string& file) { settings_.ranges = file; }
  void add_clip_humanoid(const std::string& file) { settings_.clip_humanoid = file; }

  // None: every clip plays as it is. `rig`: the map of the rig.
  std::optional<RetargetSettings> take(const HumanoidMap& rig);

 private:
  const ClipSource& source_;
  RetargetSettings settings_;
  std::set<RetargetMode> modes_;
  std::vector<TPoseChoice> clip_t_poses_;
  bool is_uniform_ = true;  // whether every clip moves the rig in the same way
};

}  // namespace skinbake::cli
