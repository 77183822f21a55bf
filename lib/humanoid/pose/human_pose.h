// A pose of the human skeleton, which means the same on every character.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "humanoid/human_bones.h"
#include "skinbake/transform.h"

namespace skinbake {

constexpr std::size_t human_bone_index(std::string_view name) {
  return static_cast<std::size_t>(human_bone(name) - kHumanBones.data());
}

// Rotations are of unit length and relative to the T-pose, about the axes of the character's frame:
// x to its left, y up, z forward.
struct HumanPose {
  // [bone of kHumanBones] How far the bone is turned in the scene: two bones that turn as one have
  // the same rotation. None: the bone follows the bone above it.
  std::array<std::optional<Quat<double>>, kHumanBones.size()> turns;
  // The place of the hips in the character's frame, in heights of the hips above the ground, which
  // is at y = 0. None: the hips are where they are in the T-pose.
  std::optional<Vec3<double>> hips;
  // How far the lower foot's joint is above its height in the T-pose, in heights of the hips. None:
  // the place of the hips alone counts.
  std::optional<double> lower_foot;
};

// Rotations of bones relative to the bone above them: N in
//
//     turn(bone) = turn(parent) N       with the identity for the parent of the hips
//
// None: the bone follows the bone above it.
struct BoneRotations {
  std::array<std::optional<Quat<double>>, kHumanBones.size()> bones;  // [bone of kHumanBones]
};

// The turns of bones that rotate relative to the bone above them. The hips stay in their place.
HumanPose pose_of(const BoneRotations& rotations);

// The rotation of every bone with a turn, relative to the nearest bone above it that has a turn.
BoneRotations rotations_of(const HumanPose& pose);

}  // namespace skinbake
