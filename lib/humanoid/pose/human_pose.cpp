#include "humanoid/pose/human_pose.h"

#include "math/scalar.h"

namespace skinbake {

namespace {

// The turn of the nearest bone above that has one.
Quat<double> turn_above(const HumanPose& pose, const HumanBone& bone) {
  for (const HumanBone* above = &bone; !above->parent.empty();) {
    const std::size_t parent = human_bone_index(above->parent);
    if (pose.turns[parent]) return *pose.turns[parent];
    above = &kHumanBones[parent];
  }
  return {1, 0, 0, 0};
}

}  // namespace

HumanPose pose_of(const BoneRotations& rotations) {
  HumanPose pose;
  for (std::size_t b = 0; b < kHumanBones.size(); ++b) {  // parents come before children
    if (!rotations.bones[b]) continue;
    pose.turns[b] = turn_above(pose, kHumanBones[b]) * *rotations.bones[b];
  }
  return pose;
}

BoneRotations rotations_of(const HumanPose& pose) {
  BoneRotations rotations;
  for (std::size_t b = 0; b < kHumanBones.size(); ++b) {
    if (!pose.turns[b]) continue;
    rotations.bones[b] = conjugate(turn_above(pose, kHumanBones[b])) * *pose.turns[b];
  }
  return rotations;
}

}  // namespace skinbake
