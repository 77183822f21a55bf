// Two joints: what every rigid method gives, at every degree and sixteenth of a weight, as
// formulas.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "methods/two_joints.h"

namespace skinbake {
namespace {

using test::Turned;
using test::TwoJoints;

// 2 atan2(w sin a/2, 1 - w + w cos a/2): quaternions blended linearly.
double linear_angle(double w, double turn) {
  return 2 * std::atan2(w * std::sin(turn / 2), (1 - w) + w * std::cos(turn / 2));
}

double share_angle(double w, double turn) {
  return w * turn;
}

// The worst departure from the radius at rest and from `angle`.
Turned departure(const TwoJoints& joints, double (*angle)(double, double), bool rounded) {
  Turned most{0, 0};
  for (int d = 0; d < test::kDegrees; ++d) {
    for (int i = 0; i < test::kWeights; ++i) {
      const double expected = angle(TwoJoints::weight(i), TwoJoints::radians(d));
      const auto [r, a] = rounded ? joints.rounded(d, i) : joints.exact(d, i);
      most.radius = std::max(most.radius, std::fabs(r - test::kRadius));
      most.angle = std::max(most.angle, std::fabs(a - expected));
    }
  }
  return most;
}

void check(const std::string& method, double (*angle)(double, double), double tolerance) {
  CAPTURE(method);
  for (const Vec3<double>& axis : {test::kTwist, test::kBend}) {
    const TwoJoints joints(axis, method);
    CHECK(departure(joints, angle, false).radius < 1e-13);
    CHECK(departure(joints, angle, false).angle < tolerance);
    CHECK(departure(joints, angle, true).radius < 1e-6);
    CHECK(departure(joints, angle, true).angle < 3e-6);
  }
}

}  // namespace

TEST_CASE("closed forms: blends of quaternions keep the radius and hurry through the middle") {
  for (const char* method : {"dqs", "dqs:sign=first", "dqs:sign=temporal", "sbs"}) {
    check(method, linear_angle, 1e-12);
  }
}

TEST_CASE("closed forms: blends of logarithms keep the radius and turn by the weight's share") {
  for (const char* method : {"lmb", "lmb:ref=max-weight", "lmb:plain=1", "dib", "jst"}) {
    check(method, share_angle, 1e-12);
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
