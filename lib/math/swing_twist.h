// A rotation as a twist about an axis and a swing that turns the axis.
//
//     p = v . a                      q = (w, v) unit quaternion, a unit axis
//     twist = (w, p a) / |(w, p a)|
//     q = swing * twist              the twist first, about the axis before the swing
//     q = twist * swing              the swing first; the same twist, about the fixed axis
//
// In both orders the swing turns about a line perpendicular to a. A swing by pi leaves the twist
// open.

#pragma once

#include <optional>

#include "skinbake/transform.h"

namespace skinbake {

struct SwingTwist {
  Quat<double> swing, twist;
  bool determined = true;  // false: the swing is a half turn; the twist is taken as none
};

SwingTwist swing_after_twist(const Quat<double>& q, const Vec3<double>& axis);  // q = swing * twist
SwingTwist twist_after_swing(const Quat<double>& q, const Vec3<double>& axis);  // q = twist * swing

// The twist's angle, the same in both orders; -2 pi … 2 pi, opposite quaternions differ by 2 pi.
// None where a half-turn swing leaves it open.
std::optional<double> twist_angle(const Quat<double>& q, const Vec3<double>& axis);

// The angle that differs from `angle` by whole turns and is nearest to `target`; of two, the one
// above.
double nearest_turn(double angle, double target);

// The rotation by `angle` about `axis` (unit) through `pivot`. Exact to rounding for any number of
// turns below a million.
Affine<double> rotation_about(const Vec3<double>& axis, double angle, const Vec3<double>& pivot);

}  // namespace skinbake
