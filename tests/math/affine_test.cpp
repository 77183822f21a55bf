#include <doctest/doctest.h>

#include "math/scalar.h"
#include "support/near.h"
#include "support/random.h"

namespace skinbake {
namespace {

using test::distance;
using test::Random;

Affine<double> random_affine(Random& random) {
  return {random.vector(2), random.vector(2), random.vector(2), random.vector(2)};
}

}  // namespace

TEST_CASE("vec3: dot and cross of the axes") {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  CHECK(dot(x, x) == 1);
  CHECK(dot(x, y) == 0);
  CHECK(distance(cross(x, y), z) == 0);
  CHECK(distance(cross(y, z), x) == 0);
  CHECK(distance(cross(z, x), y) == 0);
}

TEST_CASE("vec3: operators follow their definitions") {
  const Vec3<double> a{1, 2, 3}, b{-4, 5, 0.5};
  CHECK(distance(a + b, {-3, 7, 3.5}) == 0);
  CHECK(distance(a - b, {5, -3, 2.5}) == 0);
  CHECK(distance(-a, {-1, -2, -3}) == 0);
  CHECK(distance(2.0 * a, {2, 4, 6}) == 0);
  CHECK(distance(fma(2.0, a, b), {-2, 9, 6.5}) == 0);
  CHECK(dot(a, b) == 7.5);
  CHECK(distance(cross(a, b), {2 * 0.5 - 3 * 5, 3 * -4 - 1 * 0.5, 1 * 5 - 2 * -4}) == 0);
  CHECK(norm(Vec3<double>{2, 3, 6}) == 7);
}

TEST_CASE("affine: columns are the images of the axes") {
  const Affine<double> m{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}, {11, 12, 13}};
  CHECK(distance(m * Vec3<double>{0, 0, 0}, {11, 12, 13}) == 0);
  CHECK(distance(m * Vec3<double>{1, 0, 0}, {12, 14, 16}) == 0);
  CHECK(distance(rotate(m, {0, 1, 0}), {4, 5, 6}) == 0);
  CHECK(determinant(m) == -3);
}

TEST_CASE("affine: a product is one map after the other") {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Affine<double> a = random_affine(random), b = random_affine(random);
    const Vec3<double> p = random.vector(2);
    CHECK(distance((a * b) * p, a * (b * p)) < 1e-13);
    CHECK(std::fabs(determinant(a * b) - determinant(a) * determinant(b)) < 1e-11);
  }
}

TEST_CASE("affine: the product of a map and its inverse is the identity") {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Affine<double> m = random_affine(random);
    if (std::fabs(determinant(m)) < 0.1) continue;
    CHECK(distance(m * inverse(m), kIdentity) < 1e-11);
    CHECK(distance(inverse(m) * m, kIdentity) < 1e-11);
  }
}

TEST_CASE("affine: the inverse of a singular map is not finite") {
  const Affine<double> flat{{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 0, 0}};
  CHECK_FALSE(std::isfinite(inverse(flat).y.y));
}

TEST_CASE("affine: weighted sums are computed element by element") {
  const Affine<double> m{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
  CHECK(distance(fma(2.0, m, -1.0 * m), m) == 0);
}

TEST_CASE("normal: rotates with a rotation") {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Affine<double> r = to_affine(random.rotation(), random.vector(3));
    const Vec3<double> n{0.6, 0, 0.8};
    CHECK(distance(transform_normal(r, n), rotate(r, n)) < 1e-14);
  }
}

TEST_CASE("normal: stays perpendicular to the surface under any map, and of unit length") {
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    const Affine<double> m = random_affine(random);
    if (std::fabs(determinant(m)) < 0.1) continue;
    const Vec3<double> u = random.vector(1), v = random.vector(1);
    const Vec3<double> n = transform_normal(m, cross(u, v));
    CHECK(std::fabs(dot(n, rotate(m, u))) < 1e-13);
    CHECK(std::fabs(dot(n, rotate(m, v))) < 1e-13);
    CHECK(std::fabs(norm(n) - 1) < 1e-14);
  }
}

TEST_CASE("normal: a scale of 2 along x turns a normal away from x") {
  const Affine<double> m{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 5, 5}};
  const double s = std::sqrt(0.5), length = std::sqrt(1.25);
  CHECK(distance(transform_normal(m, {s, s, 0}), {0.5 / length, 1 / length, 0}) < 1e-15);
}

TEST_CASE("normal: stays outward under a mirror") {
  const Affine<double> mirror{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  CHECK(distance(transform_normal(mirror, {1, 0, 0}), {-1, 0, 0}) == 0);
  CHECK(distance(transform_normal(mirror, {0, 1, 0}), {0, 1, 0}) == 0);
}

TEST_CASE("normal: a singular map gives zero, not NaN") {
  const Affine<double> nothing{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 2, 3}};
  CHECK(distance(transform_normal(nothing, {0, 0, 1}), {0, 0, 0}) == 0);
}

}  // namespace skinbake
