#include <doctest/doctest.h>

#include "clip/forward_kinematics.h"
#include "math/scalar.h"
#include "methods/two_joints.h"
#include "support/near.h"

namespace skinbake {
namespace {

using test::distance;
using test::TwoJoints;

// The worst departure from the closed form, over all angles and weights.
test::Turned worst(const TwoJoints& joints, bool rounded) {
  test::Turned most{0, 0};
  for (int d = 0; d < test::kDegrees; ++d) {
    const double theta = TwoJoints::radians(d);
    for (int i = 0; i < test::kWeights; ++i) {
      const double w = TwoJoints::weight(i);
      const double radius = test::kRadius * std::sqrt(1 - 2 * w * (1 - w) * (1 - std::cos(theta)));
      const double angle = std::atan2(w * std::sin(theta), 1 - w + w * std::cos(theta));
      const auto [r, a] = rounded ? joints.rounded(d, i) : joints.exact(d, i);
      most.radius = std::max(most.radius, std::fabs(r - radius));
      most.angle = std::max(most.angle, std::fabs(a - angle) * radius);  // as a length
    }
  }
  return most;
}

}  // namespace

TEST_CASE("linear blend: a twist by a shrinks the middle ring to cos(a/2)") {
  const TwoJoints joints(test::kTwist, "lbs");
  for (int d = 0; d < test::kDegrees; ++d) {
    const double expected = test::kRadius * std::cos(TwoJoints::radians(d) / 2);
    CHECK(std::fabs(joints.rounded(d, 8).radius - expected) < 1e-6);
  }
}

TEST_CASE("linear blend: radius and angle of any weight, twisted and bent") {
  for (const Vec3<double>& axis : {test::kTwist, test::kBend}) {
    const TwoJoints joints(axis, "lbs");
    CHECK(worst(joints, false).radius < 1e-14);
    CHECK(worst(joints, false).angle < 1e-14);
    CHECK(worst(joints, true).radius < 1e-6);
    CHECK(worst(joints, true).angle < 1e-6);
  }
}

TEST_CASE("linear blend: is the weighted sum of what each joint would do") {
  const test::RandomShape shape{.seed = 80, .scale_spread = 0.5};
  const Rig rig = test::random_rig(shape);
  const Clip clip = test::random_clip(rig, shape, 10);
  const auto capture = test::captured(rig, &clip, 10, "lbs");
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose pose;
  for (std::int64_t f = 0; f < 10; ++f) {
    sampler.sample(static_cast<double>(f) / 30, pose);
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      const float* rest = rig.mesh->positions.data() + std::size_t{v} * 3;
      Vec3<double> sum{0, 0, 0};
      for (const Influence& i : rig.influences_of(v)) {
        const Vec3<double> p{rest[0], rest[1], rest[2]};
        sum = sum + i.weight * (pose.posed_from_rest[i.joint] * p);
      }
      CHECK(distance(capture.exact_at(f, v), sum) < 1e-12);
    }
  }
}

}  // namespace skinbake
