#include <doctest/doctest.h>

#include "clip/poses/skinning.h"
#include "math/affine-inl.h"
#include "math/scalar.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/targets.h"

namespace skinbake {
namespace {

// The weighted sum of the point moved by each joint, in double.
Vec3<double> blended(const Rig& rig, const SampledPose& pose, VertexIndex v) {
  const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
  const Vec3<double> rest{p[0], p[1], p[2]};
  Vec3<double> sum{0, 0, 0};
  for (const Influence& i : rig.influences_of(v)) {
    sum = sum + i.weight * (pose.posed_from_rest[i.joint] * rest);
  }
  return sum;
}

struct Errors {
  double rounded = 0, exact = 0;
};

Errors worst_errors(const test::RandomShape& shape) {
  constexpr int kFrames = 3;
  const Rig rig = test::random_rig(shape);
  const Clip clip = test::random_clip(rig, shape, kFrames);
  const test::Capture capture = test::captured(rig, &clip, kFrames, "lbs");
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose pose;
  Errors worst;
  for (int frame = 0; frame < kFrames; ++frame) {
    sampler.sample(frame / 30.0, pose);
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      const Vec3<double> expected = blended(rig, pose, v);
      worst.rounded = std::max(worst.rounded, test::distance(capture.at(frame, v), expected));
      worst.exact = std::max(worst.exact, test::distance(capture.exact_at(frame, v), expected));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE(
    "linear driver: it equals a plain sum, around the sizes of bundles and tiles, on every "
    "target") {
  test::for_each_simd_target([](const std::string&) {
    for (const int points : {1, 2, 127, 128, 129, 255, 256, 257, 641}) {
      for (const int joints : {1, 3, 90}) {
        CAPTURE(points);
        CAPTURE(joints);
        const Errors worst =
            worst_errors({.seed = 7, .points = points, .joints = joints, .influences = 6});
        CHECK(worst.rounded < 1e-5);
        CHECK(worst.exact < 1e-12);
      }
    }
  });
}

}  // namespace skinbake
