// Poses of the human skeleton over time: of a clip, of the range of motion, or of a list of poses.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "humanoid/pose/human_pose.h"
#include "skinbake/clip.h"

namespace skinbake {

class PoseSource {
 public:
  PoseSource() = default;
  virtual ~PoseSource() = default;
  PoseSource(const PoseSource&) = delete;
  PoseSource& operator=(const PoseSource&) = delete;

  // The pose at an instant; before the first and after the last instant, the first and the last
  // pose. Thread-safe.
  virtual HumanPose pose(double time_s) const = 0;

  // The instants between which poses change smoothly, in seconds: ascending and distinct.
  virtual const std::vector<double>& key_times() const = 0;

  // What the pose at an instant is called: "forearm twist at +90 degrees"; empty: it has no name.
  virtual std::string name(double /*time_s*/) const { return ""; }
};

}  // namespace skinbake
