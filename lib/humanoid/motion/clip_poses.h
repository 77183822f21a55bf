// The poses of a humanoid that a clip moves.

#pragma once

#include <memory>

#include "clip/sampling/node_sampler.h"
#include "humanoid/motion/pose_source.h"
#include "humanoid/pose/human_pose.h"

namespace skinbake {

// With W the rotation of a bone in its T-pose, R its rotation at an instant, both in the scene, and
// B that from the character's frame to the scene, the bone's turn is
//
//     B^-1 R W^-1 B
//
// R includes the rotations of nodes between bones, such as those of a root. Scales do not turn.
class ClipPoses : public PoseSource {
 public:
  // `hips_unit_m` is the length that counts as one height of the hips.
  ClipPoses(std::shared_ptr<const Skeleton> skeleton, Clip clip,
            std::shared_ptr<const TPosedSkeleton> body, double hips_unit_m);

  HumanPose pose(double time_s) const override;
  const std::vector<double>& key_times() const override { return key_times_; }

  // Whether the clip moves a bone, or a node above one.
  bool is_moving() const { return !sampler_.channels().empty(); }

 private:
  bool is_hips_moved() const;
  // [step] in the scene
  std::vector<Quat<double>> rotations_at(const NodeSampler& sampler) const;

  std::shared_ptr<const Skeleton> skeleton_;
  Clip clip_;
  std::shared_ptr<const TPosedSkeleton> body_;
  double hips_unit_m_;
  std::vector<BoneStep> steps_;
  NodeSampler sampler_;  // copied for each pose
  std::vector<double> key_times_;
  bool moves_hips_;  // whether the clip moves the place of the hips; else they stay where they rest
};

}  // namespace skinbake
