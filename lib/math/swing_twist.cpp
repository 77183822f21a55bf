#include "math/swing_twist.h"

#include <cmath>
#include <numbers>

#include "math/scalar.h"

namespace skinbake {

namespace {

// Squared length of (w, p a) below which the swing counts as a half turn: within 1e-6 rad of a half
// turn, rounding errors determine the angle.
constexpr double kLeastProjection2 = 1e-12;

Quat<double> conjugate(const Quat<double>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

// Returns the unit quaternion of the twist, or the identity if it is not determined.
bool project(const Quat<double>& q, const Vec3<double>& axis, Quat<double>& twist) {
  const double p = dot(vector_part(q), axis);
  const double length2 = q.w * q.w + p * p;
  const bool determined = length2 >= kLeastProjection2;
  const double s = determined ? 1 / sqrt(length2) : 0;
  twist = determined ? Quat<double>{s * q.w, s * p * axis.x, s * p * axis.y, s * p * axis.z}
                     : Quat<double>{1, 0, 0, 0};
  return determined;
}

}  // namespace

SwingTwist swing_after_twist(const Quat<double>& q, const Vec3<double>& axis) {
  SwingTwist parts;
  parts.determined = project(q, axis, parts.twist);
  parts.swing = q * conjugate(parts.twist);
  return parts;
}

SwingTwist twist_after_swing(const Quat<double>& q, const Vec3<double>& axis) {
  SwingTwist parts;
  parts.determined = project(q, axis, parts.twist);
  parts.swing = conjugate(parts.twist) * q;
  return parts;
}

std::optional<double> twist_angle(const Quat<double>& q, const Vec3<double>& axis) {
  const double p = dot(vector_part(q), axis);
  if (!(q.w * q.w + p * p >= kLeastProjection2)) return {};  // also for NaN
  return 2 * atan2(p, q.w);
}

double nearest_turn(double angle, double target) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle - kTurn * std::ceil((angle - target) / kTurn - 0.5);
}

Affine<double> rotation_about(const Vec3<double>& axis, double angle, const Vec3<double>& pivot) {
  const auto [s, c] = sin_cos(0.5 * nearest_turn(angle, 0));
  Affine<double> m =
      to_affine(Quat<double>{c, s * axis.x, s * axis.y, s * axis.z}, Vec3<double>{0, 0, 0});
  m.translation = pivot - rotate(m, pivot);
  return m;
}

}  // namespace skinbake
