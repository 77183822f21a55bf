// A pose of the human skeleton, and the skeleton in the T-pose from which poses are read and
// written.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "humanoid/human_bones.h"
#include "math/scalar.h"
#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake {

// ---- Rotations as turns about axes and from direction to direction, in the bits of every machine.

inline Vec3<double> unit(const Vec3<double>& v) {
  return (1 / norm(v)) * v;
}

inline Vec3<double> rotated(const Quat<double>& q, const Vec3<double>& v) {
  return rotate(to_affine(q, Vec3<double>{0, 0, 0}), v);
}

inline Quat<double> about(const Vec3<double>& axis, double angle) {
  const SinCos<double> half = sin_cos(angle / 2);
  return {half.cos, half.sin * axis.x, half.sin * axis.y, half.sin * axis.z};
}

inline double angle_between(const Vec3<double>& a, const Vec3<double>& b) {
  return atan2(norm(cross(a, b)), dot(a, b));
}

// The smallest rotation from a to b. Opposite directions turn about `otherwise`, which is
// perpendicular to a.
inline Quat<double> smallest_rotation(const Vec3<double>& a, const Vec3<double>& b,
                                      const Vec3<double>& otherwise) {
  const Vec3<double> axis = cross(a, b);
  const double length = norm(axis);
  if (length > 1e-12 * norm(a) * norm(b)) return about((1 / length) * axis, angle_between(a, b));
  return dot(a, b) < 0 ? about(unit(otherwise), 3.141592653589793) : Quat<double>{1, 0, 0, 0};
}

// ---- A pose of the human skeleton, which means the same on every character.

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

// The turn of the nearest bone above, in the human skeleton, that has one; else the identity.
Quat<double> turn_above(const HumanPose& pose, const HumanBone& bone);

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

// ---- A skeleton in the T-pose, from which the poses of its humanoid are read and written.

// Whether the map was made for its file. Characters of VRM files are in a T-pose at rest, stand
// upright, and face +Z or, in VRM 0.x, -Z: their left thigh tells.
inline bool is_vrm(const HumanoidMap& map) {
  return map.source.starts_with("vrm");
}

struct TPosedSkeleton {
  std::array<NodeIndex, kHumanBones.size()> nodes;  // [bone of kHumanBones]; -1: not mapped
  std::vector<Quat<double>> locals;                 // [node] relative to Skeleton::base_of
  std::vector<Quat<double>> turns;                  // [node] in the scene: W
  Quat<double> scene_from_character;                // B: x left, y up, z forward
  double ground_m = 0;       // the height at which the character stands, along y
  double hips_height_m = 0;  // of the hips above the ground
  double ankle_m = 0;        // of the lower foot's joint above the ground; 0: without feet
};

// The length that is one height of the hips in poses of this body alone, in metres: hips that are
// not above the ground do not have a height, so that their places are in metres.
double hips_unit_m(const TPosedSkeleton& body);

// A place of the hips in the scene as HumanPose has it: in the character's frame, in lengths of
// `unit_m` above the ground.
Vec3<double> hips_place(const TPosedSkeleton& body, Vec3<double> in_scene, double unit_m);

// A bone, or a node above one.
struct BoneStep {
  NodeIndex node = -1;
  int above = -1;  // index of the step of the node above
  int bone = -1;   // index in kHumanBones
};

// The steps from the scene to all bones, parents first. `nodes` is [bone of kHumanBones].
std::vector<BoneStep> steps_to_bones(const Skeleton& skeleton,
                                     const std::array<NodeIndex, kHumanBones.size()>& nodes);

// The product of the local rotations from the scene to each node. A node with a matrix has the
// rotation of its polar decomposition. Shape [node].
std::vector<Quat<double>> scene_rotations(const Skeleton& skeleton,
                                          const std::vector<Quat<double>>& locals);

// A node's local rotation at rest.
Quat<double> rotation_at_rest(const Node& node);

// In the T-pose: the rest pose, with its bones turned if `is_corrected`.
// Throws Error (kInput, HUMANOID_INCOMPLETE) if the T-pose or the frame of the character needs
// bones that the map does not have, and Error (kInput, HUMANOID_NOT_FINITE) if the rest pose does
// not determine them. `file` is the file in the message.
TPosedSkeleton t_posed(const Skeleton& skeleton, const HumanoidMap& map, bool is_corrected,
                       const std::string& file);

// The same for a file with clips. Throws also Error (kUsage, T_POSE_INVALID) if the clip of the
// choice does not exist or does not rotate a node, or if the time is not within the clip.
TPosedSkeleton t_posed(const Skeleton& skeleton, const HumanoidMap& map,
                       const std::vector<Clip>& clips, const TPoseChoice& choice,
                       const std::string& file);

}  // namespace skinbake
