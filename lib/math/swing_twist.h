// Decomposition of a rotation into a twist about an axis and a swing that turns the axis.
//
//     p = v . a                      q = (w, v) unit quaternion, a unit axis
//     twist = (w, p a) / |(w, p a)|
//     q = swing * twist              the twist first, about the axis before the swing
//     q = twist * swing              the swing first; the same twist, about the fixed axis
//
// In both orders the swing turns about a line perpendicular to a. A swing by pi does not determine
// the twist.

#pragma once

#include <optional>

#include "skinbake/transform.h"

namespace skinbake {

struct SwingTwist {
  Quat<double> swing, twist;
  bool determined = true;  // false: the swing is a half turn, and the twist is the identity
};

SwingTwist swing_after_twist(const Quat<double>& q, const Vec3<double>& axis);  // q = swing * twist
SwingTwist twist_after_swing(const Quat<double>& q, const Vec3<double>& axis);  // q = twist * swing

// Returns the twist's angle, which is the same in both orders: -2 pi … 2 pi; opposite quaternions
// differ by 2 pi. Returns nothing for a half-turn swing.
std::optional<double> twist_angle(const Quat<double>& q, const Vec3<double>& axis);

// Returns the angle that differs from `angle` by whole turns and is nearest to `target`; of two
// such angles, the greater.
double nearest_turn(double angle, double target);

// Returns the rotation by `angle` about the unit vector `axis` through `pivot`, exact up to
// rounding for fewer than a million turns.
Affine<double> rotation_about(const Vec3<double>& axis, double angle, const Vec3<double>& pivot);

}  // namespace skinbake
