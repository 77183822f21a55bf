// Rotations by an angle in radians.

#pragma once

#include <cmath>

#include "skinbake/rig.h"

namespace skinbake::test {

// The axis has unit length.
inline Quat<double> about(const Vec3<double>& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

inline Quat<double> about_x(double angle) {
  return {std::cos(angle / 2), std::sin(angle / 2), 0, 0};
}
inline Quat<double> about_y(double angle) {
  return {std::cos(angle / 2), 0, std::sin(angle / 2), 0};
}
inline Quat<double> about_z(double angle) {
  return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
}

// A point turned about the x axis.
inline Vec3<double> turned_about_x(const Vec3<double>& p, double angle) {
  return {p.x, p.y * std::cos(angle) - p.z * std::sin(angle),
          p.y * std::sin(angle) + p.z * std::cos(angle)};
}

}  // namespace skinbake::test
