// Closed forms of the rigid methods for two joints, at every degree and every sixteenth of a
// weight.

#include <doctest/doctest.h>

#include <cmath>

#include "methods/two_joints.h"

namespace skinbake {
namespace {

using test::Turned;
using test::TwoJoints;

// The weight's share of the turn.
Turned shared_turn(double w, double turn) {
  return {test::kRadius, w * turn};
}

void check(const std::string& method, Turned (*expected)(double, double), double tolerance) {
  CAPTURE(method);
  for (const Vec3<double>& axis : {test::kTwist, test::kBend}) {
    const TwoJoints joints(axis, method);
    CHECK(worst_deviation(joints, expected, false).radius < 1e-13);
    CHECK(worst_deviation(joints, expected, false).angle < tolerance);
    CHECK(worst_deviation(joints, expected, true).radius < 1e-6);
    CHECK(worst_deviation(joints, expected, true).angle < 3e-6);
  }
}

}  // namespace

TEST_CASE("closed forms: blends of quaternions keep the radius and turn fastest in the middle") {
  for (const char* method : {"dqs", "dqs:sign=first", "dqs:sign=temporal", "sbs"}) {
    check(method, test::blended_quaternions, 1e-12);
  }
}

TEST_CASE(
    "closed forms: blends of logarithms keep the radius and turn in proportion to the weight") {
  for (const char* method : {"lmb", "lmb:ref=max-weight", "lmb:plain=1", "dib", "jst"}) {
    check(method, shared_turn, 1e-12);
  }
}

TEST_CASE("closed forms: a tube's ramp loses (1 - cos a) / 3 of its volume under linear blending") {
  // Rings of radius r along a ramp of weights: V / V0 is the mean of the rings' areas over r^2.
  const auto share = [](const TwoJoints& joints, int degrees) {
    double sum = 0;  // Simpson's rule is exact: areas are quadratic in the weight
    for (int i = 0; i < test::kWeights; ++i) {
      const double r = joints.exact(degrees, i).radius / test::kRadius;
      const double factor = i == 0 || i == test::kWeights - 1 ? 1 : (i % 2 == 1 ? 4 : 2);
      sum += factor * r * r;
    }
    return sum / (3 * (test::kWeights - 1));
  };
  const TwoJoints lbs(test::kTwist, "lbs");
  for (int d = 0; d < test::kDegrees; ++d) {
    CHECK(std::fabs(share(lbs, d) - (1 - (1 - std::cos(TwoJoints::radians(d))) / 3)) < 1e-13);
  }
  for (const char* method : {"dqs", "dib", "sbs", "lmb", "jst"}) {
    const TwoJoints joints(test::kTwist, method);
    for (int d = 0; d < test::kDegrees; ++d) CHECK(std::fabs(share(joints, d) - 1) < 1e-13);
  }
}

}  // namespace skinbake
