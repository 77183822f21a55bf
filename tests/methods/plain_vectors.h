// Vectors, matrices and quaternions as plain arrays, for second implementations of methods.

#pragma once

#include <array>
#include <cmath>

namespace skinbake::test {

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<Vector3, 3>;    // rows
using Quaternion = std::array<double, 4>;  // w x y z

// a + s b
inline Vector3 sum(const Vector3& a, double s, const Vector3& b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
inline Vector3 difference(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline double dot_of(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector3 cross_of(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vector3 unit_of(const Vector3& a) {
  const double length = std::sqrt(dot_of(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

inline Vector3 times(const Matrix3& m, const Vector3& v) {
  Vector3 out{};
  for (int i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

// The product of two quaternions.
inline Quaternion hamilton(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

}  // namespace skinbake::test
