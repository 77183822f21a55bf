#include "math/orient3d.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "support/random.h"

namespace skinbake {
namespace {

using test::Random;

// The determinant in integers, exact for coordinates below 2^19.
int exact(const std::int64_t (&p)[4][3]) {
  std::int64_t m[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) m[i][k] = p[i][k] - p[3][k];
  }
  const std::int64_t det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                           m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return (det > 0) - (det < 0);
}

Vec3<double> point(const std::int64_t (&p)[3], double unit, double shift) {
  return {shift + unit * static_cast<double>(p[0]), shift + unit * static_cast<double>(p[1]),
          shift + unit * static_cast<double>(p[2])};
}

}  // namespace

TEST_CASE("orient3d: both sides of a plane and the plane itself have their signs") {
  const Vec3<double> a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  CHECK(orient3d(a, b, c, {0.2, 0.2, -1}) == 1);
  CHECK(orient3d(a, b, c, {0.2, 0.2, 1}) == -1);
  CHECK(orient3d(a, b, c, {0.2, 0.2, 0}) == 0);
  CHECK(orient3d(a, c, b, {0.2, 0.2, -1}) == -1);
  CHECK(orient3d(a, a, b, c) == 0);
}

TEST_CASE("orient3d: the sign equals the exact integer determinant's, even near zero") {
  Random random(3);
  int zeros = 0, hard = 0;
  for (int i = 0; i < 20000; ++i) {
    std::int64_t p[4][3];
    for (auto& row : p) {
      for (auto& x : row) x = static_cast<std::int64_t>(random.between(-200000, 200000));
    }
    // The last point near the plane of the others: by steps along their sides.
    for (int k = 0; k < 3; ++k) {
      p[2][k] = p[0][k] + 3 * ((p[2][k] - p[0][k]) / 4096);
      p[1][k] = p[0][k] + 5 * ((p[1][k] - p[0][k]) / 4096);
      p[3][k] = p[1][k] + p[2][k] - p[0][k] + (k == i % 3 ? i % 2 : 0);
    }
    const int sign = exact(p);
    zeros += sign == 0;
    hard += sign != 0;
    // Scaled by a power of two and far from the origin: still exact, but with larger rounding
    // errors.
    for (const double shift : {0.0, 0x1p30}) {
      const double unit = 0x1p-20;
      CHECK(orient3d(point(p[0], unit, shift), point(p[1], unit, shift), point(p[2], unit, shift),
                     point(p[3], unit, shift)) == sign);
    }
  }
  CHECK(zeros > 5000);
  CHECK(hard > 5000);
}

TEST_CASE("orient3d: a distance of one unit in the last place from the plane has a sign") {
  const Vec3<double> a{0.1, 0.1, 0.1}, b{12.3, 0.1, 0.1}, c{0.1, 45.6, 0.1};
  CHECK(orient3d(a, b, c, {7, 8, 0.1}) == 0);
  CHECK(orient3d(a, b, c, {7, 8, std::nextafter(0.1, 1)}) == -1);
  CHECK(orient3d(a, b, c, {7, 8, std::nextafter(0.1, 0)}) == 1);
  // Sums of three points of a slanted plane through the origin, whose coordinates are rounded.
  const Vec3<double> o{0, 0, 0}, u{0.1, 0.7, 0.3}, v{0.9, 0.2, 0.6};
  CHECK(orient3d(o, u, v, {2 * u.x, 2 * u.y, 2 * u.z}) == 0);
  CHECK(orient3d(o, u, v, {-4 * v.x, -4 * v.y, -4 * v.z}) == 0);
}

}  // namespace skinbake
