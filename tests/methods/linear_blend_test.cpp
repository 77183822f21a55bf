#include <doctest/doctest.h>

#include "math/scalar.h"
#include "methods/two_joints.h"

namespace skinbake {
namespace {

using test::TwoJoints;

test::Turned closed_form(double w, double turn) {
  return {test::kRadius * std::sqrt(1 - 2 * w * (1 - w) * (1 - std::cos(turn))),
          std::atan2(w * std::sin(turn), 1 - w + w * std::cos(turn))};
}

}  // namespace

TEST_CASE("linear blend: a twist by a shrinks the middle ring to cos(a/2)") {
  const TwoJoints joints(test::kTwist, "lbs");
  for (int d = 0; d < test::kDegrees; ++d) {
    const double expected = test::kRadius * std::cos(TwoJoints::radians(d) / 2);
    CHECK(std::fabs(joints.rounded(d, 8).radius - expected) < 1e-6);
  }
}

TEST_CASE("linear blend: radius and angle of all weights in twists and bends") {
  for (const Vec3<double>& axis : {test::kTwist, test::kBend}) {
    const TwoJoints joints(axis, "lbs");
    CHECK(worst_deviation(joints, closed_form, false).radius < 1e-14);
    CHECK(worst_deviation(joints, closed_form, false).angle < 1e-14);
    CHECK(worst_deviation(joints, closed_form, true).radius < 1e-6);
    CHECK(worst_deviation(joints, closed_form, true).angle < 1e-6);
  }
}

}  // namespace skinbake
