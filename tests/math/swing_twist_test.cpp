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

TEST_CASE("swing and twist: a turn about the axis is a twist, about a perpendicular axis a swing") {
  const SwingAndTwist twist = swing_after_twist(about(kY, 1.25), kY);
  CHECK(distance(twist.twist, about(kY, 1.25)) < 1e-15);
  CHECK(distance(twist.swing, {1, 0, 0, 0}) < 1e-15);
  const SwingAndTwist swing = swing_after_twist(about(kX, 1.25), kY);
  CHECK(distance(swing.twist, {1, 0, 0, 0}) < 1e-15);
  CHECK(distance(swing.swing, about(kX, 1.25)) < 1e-15);
}

TEST_CASE("swing and twist: composed swings and twists are recovered in both orders") {
  Random random(11);
  for (int i = 0; i < 100; ++i) {
    const Vec3<double> axis = unit(random.vector(1));
    const Vec3<double> across = unit(cross(axis, random.vector(1)));
    const double turn = random.between(-3.1, 3.1), bend = random.between(-3.0, 3.0);
    const Quat<double> twist = about(axis, turn), swing = about(across, bend);

    const SwingAndTwist first = swing_after_twist(swing * twist, axis);
    CHECK(distance(first.swing * first.twist, swing * twist) < 1e-14);
    CHECK(std::abs(norm(first.twist) - 1) < 1e-15);
    const SwingAndTwist last = twist_after_swing(twist * swing, axis);
    CHECK(distance(last.twist * last.swing, twist * swing) < 1e-14);
    // Angles that differ by a whole turn are the same rotation, so rotations are compared.
    for (const SwingAndTwist& found : {first, last}) {
      const double sign = dot(found.twist, twist) < 0 ? -1 : 1;
      CHECK(distance(sign * found.twist, twist) < 1e-13);
      CHECK(distance(sign * found.swing, swing) < 1e-13);
      CHECK(std::abs(dot(vector_part(found.swing), axis)) < 1e-14);
    }
  }
}

TEST_CASE(
    "swing and twist: both orders have the same twist, which maps their swings to each other") {
  Random random(12);
  for (int i = 0; i < 50; ++i) {
    const Vec3<double> axis = unit(random.vector(1));
    const Quat<double> q = random.rotation();
    const SwingAndTwist a = swing_after_twist(q, axis), b = twist_after_swing(q, axis);
    CHECK(distance(a.twist, b.twist) == 0);
    CHECK(distance(a.swing * a.twist, b.twist * b.swing) < 1e-14);
    CHECK(std::abs(a.swing.w - b.swing.w) < 1e-14);  // by the same angle
  }
}

TEST_CASE("swing and twist: the swing moves the axis as the rotation does") {
  Random random(13);
  for (int i = 0; i < 50; ++i) {
    const Vec3<double> axis = unit(random.vector(1));
    const Quat<double> q = random.rotation();
    const Vec3<double> moved = rotate(to_affine(q, {0, 0, 0}), axis);
    const Quat<double> swing = swing_after_twist(q, axis).swing;
    CHECK(distance(rotate(to_affine(swing, {0, 0, 0}), axis), moved) < 1e-14);
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
  CHECK_FALSE(swing_after_twist(about(kX, pi), kY).determined);
  CHECK(distance(swing_after_twist(about(kX, pi), kY).swing, about(kX, pi)) < 1e-15);
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
