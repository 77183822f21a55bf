#include <doctest/doctest.h>

#include "clip/forward_kinematics.h"
#include "math/affine-inl.h"
#include "math/scalar.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/targets.h"

namespace skinbake {
namespace {

// The sum of what each joint makes of the point: one vertex at a time, in double.
Vec3<double> blended(const Rig& rig, const SampledPose& pose, VertexIndex v) {
  const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
  const Vec3<double> rest{p[0], p[1], p[2]};
  Vec3<double> sum{0, 0, 0};
  for (const Influence& i : rig.influences_of(v)) {
    sum = sum + i.weight * (pose.posed_from_rest[i.joint] * rest);
  }
  return sum;
}

double worst_error(const test::RandomShape& shape) {
  constexpr int kFrames = 3;
  const Rig rig = test::random_rig(shape);
  const Clip clip = test::random_clip(rig, shape, kFrames);
  const test::Capture capture = test::captured(rig, &clip, kFrames, "lbs");
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose pose;
  double worst = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    sampler.sample(frame / 30.0, pose);
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      worst = std::max(worst, test::distance(capture.at(frame, v), blended(rig, pose, v)));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("linear driver: a plain sum, around the sizes of bundles and tiles, on every target") {
  test::for_each_simd_target([](const std::string&) {
    for (const int points : {1, 2, 127, 128, 129, 255, 256, 257, 641}) {
      for (const int joints : {1, 3, 90}) {
        CAPTURE(points);
        CAPTURE(joints);
        CHECK(worst_error({.seed = 7, .points = points, .joints = joints, .influences = 6}) < 1e-5);
      }
    }
  });
}

}  // namespace skinbake
