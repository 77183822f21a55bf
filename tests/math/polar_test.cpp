#include "math/rotation_parts.h"

#include <doctest/doctest.h>

#include <numbers>

#include "math/scalar.h"
#include "support/near.h"
#include "support/random.h"

namespace skinbake {
namespace {

using test::distance;
using test::Random;

constexpr Vec3<double> kZero{0, 0, 0};

Affine<double> scaling(double x, double y, double z) {
  return {{x, 0, 0}, {0, y, 0}, {0, 0, z}, kZero};
}

// |R^T R - 1|.
double unorthogonality(const Affine<double>& r) {
  return distance(stretch_of(r, r), kIdentity);
}

double asymmetry(const Affine<double>& s) {
  return std::max({std::fabs(s.x.y - s.y.x), std::fabs(s.y.z - s.z.y), std::fabs(s.z.x - s.x.z)});
}

void check_factors(const Affine<double>& m, const PolarFactors& polar, double tolerance) {
  CHECK_FALSE(polar.degenerate);
  CHECK(unorthogonality(polar.rotation) < 1e-13);
  CHECK(determinant(polar.rotation) > 0);
  CHECK(asymmetry(polar.stretch) < tolerance);
  const Affine<double> product = polar.rotation * polar.stretch;
  CHECK(distance(product, Affine<double>{m.x, m.y, m.z, kZero}) < tolerance);
}

}  // namespace

TEST_CASE("polar: the factors of the identity are the identity") {
  const PolarFactors polar = polar_factors(kIdentity);
  CHECK_FALSE(polar.degenerate);
  CHECK(distance(polar.rotation, kIdentity) < 1e-15);
  CHECK(distance(polar.stretch, kIdentity) < 1e-15);
}

TEST_CASE("polar: a known rotation and a known stretch are recovered") {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const Affine<double> r = to_affine(random.rotation(), kZero), s = random.stretch(0.05, 20);
    const PolarFactors polar = polar_factors(r * s);
    CHECK(distance(polar.rotation, r) < 1e-12);
    CHECK(distance(polar.stretch, s) < 1e-11);
  }
}

TEST_CASE("polar: the factors of any matrix are a rotation and a symmetric stretch") {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const Affine<double> m{random.vector(3), random.vector(3), random.vector(3), random.vector(3)};
    check_factors(m, polar_factors(m), 1e-11);
  }
}

TEST_CASE("polar: a mirror belongs to the stretch, never to the rotation") {
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    const Affine<double> r = to_affine(random.rotation(), kZero), s = random.stretch(0.5, 2);
    const PolarFactors polar = polar_factors(r * (-1.0 * s));
    check_factors(r * (-1.0 * s), polar, 1e-12);
    CHECK(distance(polar.rotation, r) < 1e-12);
    CHECK(determinant(polar.stretch) < 0);
  }
}

TEST_CASE(
    "polar: scales from micrometres to kilometres and stretches down to 1e-5 are decomposed") {
  for (const double size : {1e-6, 0.01, 100.0, 1e6}) {
    const Affine<double> r = to_affine(Quat<double>{0.5, 0.5, -0.5, 0.5}, kZero);
    const Affine<double> m = r * scaling(size, size * 1e-2, size * 1e-5);
    check_factors(m, polar_factors(m), size * 1e-10);
  }
}

TEST_CASE("polar: a flattened matrix is flagged") {
  CHECK(polar_factors(scaling(1, 1, 0)).degenerate);
  CHECK(polar_factors(scaling(0, 0, 0)).degenerate);
  CHECK(polar_factors(scaling(1, 1, 1e-7)).degenerate);
  CHECK(polar_factors({{1, 2, 3}, {2, 4, 6}, {0, 0, 1}, kZero}).degenerate);
  CHECK(polar_factors(scaling(NAN, 1, 1)).degenerate);
  CHECK_FALSE(polar_factors(scaling(1, 1, 1e-5)).degenerate);
}

TEST_CASE("polar: the factors of a degenerate matrix are the identity") {
  const PolarFactors polar = polar_factors(scaling(1, 0, 1));
  CHECK(distance(polar.rotation, kIdentity) == 0);
  CHECK(distance(polar.stretch, kIdentity) == 0);
}

TEST_CASE("to_quat: small rotations and half turns about each axis are converted") {
  const double s = std::sin(0.05), c = std::cos(0.05);
  CHECK(distance(to_quat(to_affine(Quat<double>{c, s, 0, 0}, kZero)), {c, s, 0, 0}) < 1e-15);
  CHECK(distance(to_quat(scaling(1, -1, -1)), {0, 1, 0, 0}) < 1e-15);
  CHECK(distance(to_quat(scaling(-1, 1, -1)), {0, 0, 1, 0}) < 1e-15);
  CHECK(distance(to_quat(scaling(-1, -1, 1)), {0, 0, 0, 1}) < 1e-15);
}

TEST_CASE("to_quat: round trips are exact for each largest component") {
  Random random(10);
  int largest[4] = {0, 0, 0, 0};
  for (int i = 0; i < 400; ++i) {
    Quat<double> q = random.rotation();
    if (q.w < 0) q = -1.0 * q;
    const double sizes[] = {q.w, std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)};
    ++largest[std::max_element(sizes, sizes + 4) - sizes];
    const Quat<double> back = to_quat(to_affine(q, kZero));
    CHECK(distance(back, q) < 1e-14);
    CHECK(back.w >= 0);
  }
  for (const int count : largest) CHECK(count > 20);
}

}  // namespace skinbake
