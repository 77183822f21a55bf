#include "math/dual_quat-inl.h"

#include <doctest/doctest.h>

#include <cmath>

#include "math/scalar.h"
#include "support/near.h"
#include "support/random.h"

namespace skinbake {
namespace {

using test::distance;

DualQuat<float> to_float(const DualQuat<double>& q) {
  const auto f = [](const Quat<double>& a) {
    return Quat<float>{static_cast<float>(a.w), static_cast<float>(a.x), static_cast<float>(a.y),
                       static_cast<float>(a.z)};
  };
  return {f(q.real), f(q.dual)};
}
DualQuat<double> to_double(const DualQuat<float>& q) {
  return {{q.real.w, q.real.x, q.real.y, q.real.z}, {q.dual.w, q.dual.x, q.dual.y, q.dual.z}};
}
double difference(const DualQuat<double>& a, const DualQuat<double>& b) {
  return std::max(distance(a.real, b.real), distance(a.dual, b.dual));
}

// Turns of every size up to half a turn, including tiny ones and half turns.
DualQuat<double> motion(test::Random& random, int i) {
  Vec3<double> axis = random.vector(1);
  axis = (1 / norm(axis)) * axis;
  const double sizes[] = {0, 1e-12, 1e-6, 1e-3, random.between(0, 1.57), 1.5707963};
  const double half = sizes[i % 6], s = std::sin(half);
  return to_dual_quat(
      Rigid<double>{{std::cos(half), s * axis.x, s * axis.y, s * axis.z}, random.vector(3)});
}

}  // namespace

TEST_CASE("logarithm: exp of log is the motion, in double and in float") {
  test::Random random(60);
  for (int i = 0; i < 600; ++i) {
    const DualQuat<double> q = motion(random, i);
    CHECK(difference(exp(log(q)), q) < 4e-15);
    CHECK(difference(to_double(exp(log(to_float(q)))), q) < 2e-6);
  }
}

TEST_CASE("logarithm: its length is half the angle") {
  for (const double half : {0.0, 1e-9, 0.1, 0.7, 1.2, 1.5, 1.57}) {
    const Quat<double> q{std::cos(half), 0, std::sin(half), 0};
    CHECK(std::fabs(log(q).y - half) < 1e-15);
    CHECK(std::fabs(log(-1.0 * q).y - half) < 1e-15);  // the smaller angle of both
  }
}

TEST_CASE("logarithm: a motion and its negative have the same logarithm") {
  test::Random random(61);
  for (int i = 0; i < 60; ++i) {
    const DualQuat<double> q = motion(random, i);
    const MotionLog<double> a = log(q), b = log(-1.0 * q);
    CHECK(distance(a.turn, b.turn) == 0);
    CHECK(distance(a.shift, b.shift) == 0);
  }
}

TEST_CASE("logarithm: multiples of a screw's logarithm are parts of the screw") {
  // A turn about a line and a shift along it: multiples of the logarithm follow the same screw.
  const double half = 0.6;
  const DualQuat<double> q =
      to_dual_quat(Rigid<double>{{std::cos(half), 0, 0, std::sin(half)}, {0, 0, 3}});
  const DualQuat<double> third = exp((1.0 / 3) * log(q));
  CHECK(difference(third * (third * third), q) < 4e-15);
  const Vec3<double> p = to_affine(third) * Vec3<double>{1, 0, 0};
  CHECK(distance(p, {std::cos(0.4), std::sin(0.4), 1}) < 1e-15);
}

}  // namespace skinbake
