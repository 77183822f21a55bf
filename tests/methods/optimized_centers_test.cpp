// Skinning about centres of rotation. rotation_centres_test.cpp tests the centres.

#include <doctest/doctest.h>

#include <cmath>

#include "clip/poses/skinning.h"
#include "methods/bind/rotation_centres.h"
#include "methods/two_joints.h"

namespace skinbake {

TEST_CASE("optimised centres: a twist keeps the radius, and turns as a quaternion blend") {
  // 2 atan2(w sin(a/2), 1 - w + w cos(a/2)): the blend of two quaternions.
  for (const Vec3<double>& axis : {test::kTwist, test::kBend}) {
    const test::TwoJoints joints(axis, "cor");
    for (int degrees = 0; degrees < 180; degrees += 3) {
      for (int w = 0; w < test::kWeights; ++w) {
        const double weight = test::TwoJoints::weight(w);
        const double half = test::TwoJoints::radians(degrees) / 2;
        const test::Turned turned = joints.exact(degrees, w);
        // Positions are floats: the middle of a disc is within 1e-8 of the pivot.
        CHECK(turned.radius == doctest::Approx(test::kRadius).epsilon(1e-7));
        CHECK(turned.angle == doctest::Approx(2 * std::atan2(weight * std::sin(half),
                                                             1 - weight + weight * std::cos(half)))
                                  .epsilon(1e-7));
        CHECK(std::fabs(joints.rounded(degrees, w).radius - turned.radius) < 1e-6);
      }
    }
  }
}

namespace {

// v' = R_q (v - p*) + sum_j w_j M_j p*, for rigid matrices: Shepperd's branch for w > 0 is enough,
// since no joint turns by half a turn.
Vec3<double> moved(const Rig& rig, const SampledPose& pose, VertexIndex v, const Vec3<double>& c) {
  double q[4] = {0, 0, 0, 0}, first[4] = {0, 0, 0, 0}, lbs[3] = {0, 0, 0};
  for (const Influence& i : rig.influences_of(v)) {
    const Affine<double>& m = pose.posed_from_rest[i.joint];
    const double w = std::sqrt(1 + m.x.x + m.y.y + m.z.z) / 2;
    const double mine[4] = {w, (m.y.z - m.z.y) / (4 * w), (m.z.x - m.x.z) / (4 * w),
                            (m.x.y - m.y.x) / (4 * w)};
    const bool is_first = i.joint == rig.influences_of(v)[0].joint;
    double dot = 0;
    for (int e = 0; e < 4; ++e) {
      if (is_first) first[e] = mine[e];
      dot += first[e] * mine[e];
    }
    for (int e = 0; e < 4; ++e) q[e] += (dot < 0 ? -i.weight : i.weight) * mine[e];
    lbs[0] += i.weight * (m.x.x * c.x + m.y.x * c.y + m.z.x * c.z + m.translation.x);
    lbs[1] += i.weight * (m.x.y * c.x + m.y.y * c.y + m.z.y * c.z + m.translation.y);
    lbs[2] += i.weight * (m.x.z * c.x + m.y.z * c.y + m.z.z * c.z + m.translation.z);
  }
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& e : q) e /= length;
  const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
  const double d[3] = {p[0] - c.x, p[1] - c.y, p[2] - c.z};
  // d + 2 r x (r x d + w d)
  const double t[3] = {q[2] * d[2] - q[3] * d[1] + q[0] * d[0],
                       q[3] * d[0] - q[1] * d[2] + q[0] * d[1],
                       q[1] * d[1] - q[2] * d[0] + q[0] * d[2]};
  return {d[0] + 2 * (q[2] * t[2] - q[3] * t[1]) + lbs[0],
          d[1] + 2 * (q[3] * t[0] - q[1] * t[2]) + lbs[1],
          d[2] + 2 * (q[1] * t[1] - q[2] * t[0]) + lbs[2]};
}

}  // namespace

TEST_CASE("optimised centres: every vertex equals the formula") {
  const Rig rig = test::tube({.rings = 9, .segments = 8, .joints = 4, .influences = 3});
  const Clip clip = test::turning_clip(rig, {0.48, 0.6, 0.64}, 2.5);
  constexpr int kFrames = 16;
  const test::Capture capture = test::captured(rig, &clip, kFrames, "cor");
  const auto centres = rotation_centres(
      rig, {0, 0, 0}, {}, [](std::size_t count, const auto& work) { work(0, count); });
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose pose;
  double worst = 0;
  for (int f = 0; f < kFrames; ++f) {
    sampler.sample(f / 30.0, pose);
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      worst =
          std::max(worst, test::distance(capture.exact_at(f, v), moved(rig, pose, v, centres[v])));
    }
  }
  CHECK(worst < 1e-13);
}

}  // namespace skinbake
