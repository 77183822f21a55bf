// Muscles of the human skeleton: each turns one bone about one axis, within a range of angles.
//
//     q = S(y, z) T(x)       x, y, z   the angles of the bone's muscles, in the T-pose 0
//                            T(x)      the twist by x about the bone's direction
//                            S(y, z)   one rotation by sqrt(y^2 + z^2) about y Y + z Z
//                            Y, Z      the axes of the bone's swings, perpendicular to its
//                            direction
//     x = 2 atan2(q_x, q_w)            for q_w >= 0
//     S = q T(x)^-1
//
// Unity's Humanoid avatars have the same twist and swing ("Muscle setup", Unity Manual). The ranges
// of the angles are the same too; here they begin at the T-pose, not at a relaxed pose. q is
// relative to the bone above, about the axes of the character's frame in the T-pose.

#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "humanoid/pose/human_pose.h"
#include "skinbake/clip.h"

namespace skinbake {

enum class MuscleAxis { kTwist, kSwingY, kSwingZ };  // x, y and z of the formula
enum class BodyPart { kSpine, kFace, kLegs, kArms, kHands };

struct Muscle {
  std::string name;        // "leftForearmTwist"
  std::string_view label;  // "forearm twist", the same on both sides
  std::string_view bone;   // "leftLowerArm"
  BodyPart part = BodyPart::kSpine;
  MuscleAxis axis = MuscleAxis::kTwist;
  // The axis of the rotation by a positive angle: backward, up, outward, to the right, or extended.
  // Unit length; x to the character's left, y up, z forward.
  Vec3<double> turns_about{1, 0, 0};
  MuscleRange range;  // contains 0, the T-pose; the muscle does not exist on a side of 0 degrees
};

inline constexpr std::size_t kMuscleCount = 95;

// All muscles: spine, face, legs, arms, fingers; a left muscle precedes its right one.
const std::array<Muscle, kMuscleCount>& muscles();

// Returns null if no muscle has the name.
const Muscle* muscle(std::string_view name);

inline std::size_t index_of(const Muscle& muscle) {
  return static_cast<std::size_t>(&muscle - muscles().data());
}

// The muscle of the other side; of a muscle of the middle, the muscle itself.
const Muscle& opposite(const Muscle& muscle);

template <class T>
using PerMuscle = std::array<T, kMuscleCount>;  // [muscle of muscles()]

// The given ranges, and the default ranges of all other muscles. Precondition: the names exist.
PerMuscle<MuscleRange> ranges_with(const MuscleRanges& given);

// The angles in degrees of muscles whose values are from -1, the least angle, to 1, the greatest.
PerMuscle<double> degrees_of(const PerMuscle<double>& values, const PerMuscle<MuscleRange>& ranges);

// The values of angles in degrees, beyond -1 and 1 for angles outside their range. 0 on a side on
// which a muscle does not exist.
PerMuscle<double> values_of(const PerMuscle<double>& degrees, const PerMuscle<MuscleRange>& ranges);

bool has_muscle(std::string_view bone);

// The rotation of a bone relative to the bone above it. Bones without a muscle do not rotate.
Quat<double> rotation_of(std::string_view bone, const PerMuscle<double>& degrees);

// The rotations of all bones that have a muscle.
BoneRotations rotations_of(const PerMuscle<double>& degrees);

// The angles of all muscles in degrees: twists from -180 to 180. A muscle of a bone that is not
// rotated has 0 degrees. Rotations that the bone's muscles cannot do are left out.
PerMuscle<double> degrees_of(const BoneRotations& rotations);

}  // namespace skinbake
