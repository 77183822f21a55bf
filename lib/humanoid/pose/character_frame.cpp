#include "humanoid/pose/character_frame.h"

#include <cmath>

#include "humanoid/pose/turn.h"

namespace skinbake {

namespace {

constexpr double kCos30 = 0.8660254037844386;

// The axis of the scene within 30 degrees of a unit vector, or the vector.
Vec3<double> snapped(const Vec3<double>& v) {
  if (std::abs(v.x) > kCos30) return {std::copysign(1.0, v.x), 0, 0};
  if (std::abs(v.y) > kCos30) return {0, std::copysign(1.0, v.y), 0};
  if (std::abs(v.z) > kCos30) return {0, 0, std::copysign(1.0, v.z)};
  return v;
}

}  // namespace

CharacterFrame character_frame(const NodeTree& tree, const HumanMap& map) {
  const auto at = [&](const char* bone) { return tree.position(map.node(bone)); };
  const Vec3<double> left_arm = at("leftUpperArm"), right_arm = at("rightUpperArm");
  const Vec3<double> left_leg = at("leftUpperLeg"), right_leg = at("rightUpperLeg");
  const Vec3<double> across = unit(left_leg - right_leg) + unit(left_arm - right_arm);
  CharacterFrame frame;
  frame.up = snapped(unit((left_arm + right_arm) - (left_leg + right_leg)));
  frame.left = unit(across - dot(frame.up, across) * frame.up);
  frame.forward = cross(frame.left, frame.up);
  return frame;
}

CharacterFrame upright(const CharacterFrame& frame) {
  const Quat<double> turn = smallest_rotation(frame.up, {0, 1, 0}, frame.left);
  return {rotated(turn, frame.left), {0, 1, 0}, rotated(turn, frame.forward)};
}

}  // namespace skinbake
