// Distances between values: CHECK(distance(a, b) < 1e-12) prints the distance if it fails.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "skinbake/rig.h"

namespace skinbake::test {

// Euclidean distance.
inline double distance(const Vec3<double>& a, const Vec3<double>& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) +
                   (a.z - b.z) * (a.z - b.z));
}

// The largest distance of two corresponding columns.
inline double distance(const Affine<double>& a, const Affine<double>& b) {
  return std::max({distance(a.x, b.x), distance(a.y, b.y), distance(a.z, b.z),
                   distance(a.translation, b.translation)});
}

// Euclidean distance in four dimensions: q and -q differ.
inline double distance(const Quat<double>& a, const Quat<double>& b) {
  return std::hypot(distance(Vec3<double>{a.x, a.y, a.z}, Vec3<double>{b.x, b.y, b.z}), a.w - b.w);
}

// Whether the bits are equal: -0 differs from 0, and a NaN equals itself.
template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// |value - exact| in units in the last place of double at `exact`.
inline double ulps(double value, long double exact) {
  const double rounded = std::fabs(static_cast<double>(exact));
  const double ulp = std::nextafter(rounded, INFINITY) - rounded;
  return static_cast<double>(std::fabs(value - exact) / static_cast<long double>(ulp));
}

}  // namespace skinbake::test
