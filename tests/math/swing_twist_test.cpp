#include "math/rotation_parts.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "math/scalar.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rotations.h"

namespace skinbake {
namespace {

using std::numbers::pi;
using test::about;
using test::distance;
using test::Random;

Vec3<double> unit(const Vec3<double>& v) {
  return (1 / norm(v)) * v;
}

const Vec3<double> kY{0, 1, 0}, kX{1, 0, 0};

}  // namespace

TEST_CASE("twist angle: a composed swing and twist have the twist's angle in both orders") {
  Random random(11);
  for (int i = 0; i < 100; ++i) {
    const Vec3<double> axis = unit(random.vector(1));
    const Vec3<double> across = unit(cross(axis, random.vector(1)));
    const double turn = random.between(-3.1, 3.1), bend = random.between(-3.0, 3.0);
    const Quat<double> twist = about(axis, turn), swing = about(across, bend);
    for (const Quat<double>& q : {swing * twist, twist * swing}) {
      REQUIRE(twist_angle(q, axis));
      CHECK(std::abs(nearest_turn(*twist_angle(q, axis), turn) - turn) < 1e-12);
    }
  }
}

TEST_CASE("twist angle: the angles of opposite quaternions differ by one turn") {
  for (const double angle : {-3.0, -1.0, 0.0, 0.5, 3.0}) {
    const Quat<double> q = about(kX, 0.7) * about(kY, angle);
    REQUIRE(twist_angle(q, kY));
    CHECK(*twist_angle(q, kY) == doctest::Approx(angle).epsilon(1e-13));
    const double other = *twist_angle(-1.0 * q, kY) - angle;
    CHECK(std::abs(other) == doctest::Approx(2 * pi));
  }
}

TEST_CASE("twist angle: a half-turn swing does not determine the angle") {
  CHECK_FALSE(twist_angle(about(kX, pi), kY));
  CHECK_FALSE(twist_angle(about(kX, pi) * about(kY, 0.4), kY));
  CHECK(twist_angle(about(kX, pi - 1e-5), kY));
  CHECK_FALSE(twist_angle({NAN, 0, 0, 0}, kY));
}

TEST_CASE("nearest turn: whole turns are added up to the nearest angle") {
  CHECK(nearest_turn(0.1, 0) == 0.1);
  CHECK(nearest_turn(0.1, 20) == doctest::Approx(0.1 + 6 * pi));
  CHECK(nearest_turn(-3, 3) == doctest::Approx(2 * pi - 3));
  CHECK(nearest_turn(3, -9) == doctest::Approx(3 - 4 * pi));
  CHECK(nearest_turn(pi, 0) == pi);  // of two, the one above
  CHECK(nearest_turn(-pi, 0) == pi);
  CHECK(nearest_turn(-2 * pi, 0) == 0);
}

TEST_CASE("rotation about a line: the line's points stay, and whole turns do not matter") {
  const Vec3<double> pivot{1, 2, 3}, axis = unit({1, -1, 2});
  const Affine<double> m = rotation_about(axis, 0.8, pivot);
  CHECK(distance(m * fma(2.5, axis, pivot), fma(2.5, axis, pivot)) < 1e-14);
  CHECK(distance(rotate(m, Vec3<double>{1, 0, 0}),
                 rotate(to_affine(about(axis, 0.8), {0, 0, 0}), Vec3<double>{1, 0, 0})) < 1e-15);
  CHECK(distance(rotation_about(axis, 0.8 + 2000 * pi, pivot), m) < 1e-11);
  CHECK(distance(rotation_about(axis, 0, pivot), kIdentity) < 1e-15);
}

}  // namespace skinbake
