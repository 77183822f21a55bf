// Rotations as turns about axes and from direction to direction, in the bits of every machine.

#pragma once

#include "math/scalar.h"

namespace skinbake {

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

}  // namespace skinbake
