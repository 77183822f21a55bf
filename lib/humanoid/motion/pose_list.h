// A list of poses that follow each other in time.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "humanoid/motion/pose_source.h"

namespace skinbake {

// Of the name of a pose: reports have it beside every worst value.
inline constexpr std::size_t kMostPoseNameBytes = 256;

struct NamedPose {
  std::string name;
  // How long the pose takes to become the next one, in seconds; none: the next frame shows the next
  // pose. After the last pose, how long it stays.
  std::optional<double> hold_s;
  BoneRotations rotations;
  // As in HumanPose; none: where the pose before has them, or where they rest.
  std::optional<Vec3<double>> hips;
};

// Pose 0 is at the beginning. A pose without hold_s stays for one frame; a pose with hold_s blends
// into the next one at constant speed, each bone along the shortest arc.
class PoseList final : public PoseSource {
 public:
  // `hips_at_rest`: the place of hips that no pose has moved. Preconditions: at least one pose;
  // fps > 0; each hold_s is at least 1e-3; rotations have unit length.
  PoseList(std::vector<NamedPose> poses, double fps, const Vec3<double>& hips_at_rest);

  HumanPose pose(double time_s) const override;
  const std::vector<double>& key_times() const override { return key_times_; }
  // The name of the pose that is shown, or of the nearer one of two poses that are blended.
  std::string name(double time_s) const override;

 private:
  // The pose at an instant: between poses `from` and from + 1.
  struct Place {
    std::size_t from = 0;
    double share = 0;  // of the next pose
  };
  Place place(double time_s) const;

  std::vector<NamedPose> poses_;
  Vec3<double> hips_at_rest_;
  std::vector<double> key_times_;  // [pose], and the end of a last pose that stays
};

}  // namespace skinbake
