#include <doctest/doctest.h>

#include <cmath>

#include "metrics/measure.h"
#include "support/rigs.h"
#include "support/rotations.h"

namespace skinbake {
namespace {

using namespace test;

// An upper arm from z = -1 to the elbow at the origin, a lower arm to z = 1, and a hand at its end,
// where no segment starts. The metric only uses vertices; a mesh also needs a triangle.
struct Arm {
  Arm(const Points& points, const Weights& weights) {
    rig = chained({points, {{0, 1, 2}}}, 3, weights);
    auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
    for (int j = 0; j < 3; ++j) skeleton->nodes[j].translation = {0, 0, j == 0 ? -1.0 : 1.0};
    rig.skeleton = skeleton;
    for (int j = 0; j < 3; ++j) rig.joints[j].joint_from_model.translation = {0, 0, 1.0 - j};
  }
  // A constant rotation of the elbow about x.
  static Clip bent(double angle) {
    Clip clip;
    clip.duration_s = 1;
    clip.channels = {channel(1, ChannelPath::kRotation, Interpolation::kLinear, {0},
                             {std::sin(angle / 2), 0, 0, std::cos(angle / 2)}, 4)};
    return clip;
  }
  Rig rig;
};

constexpr double kElbowRadius = 0.25;
// Vertices at the elbow, outside and inside of a bend about x, and a vertex far from all segments.
const Points kElbow{{0, kElbowRadius, 0}, {0, -kElbowRadius, 0}, {0, 0.5, -0.5}};
const Weights kHalf{{{0, 0.5}, {1, 0.5}}, {{0, 0.5}, {1, 0.5}}, {{0, 1.0}}};

}  // namespace

TEST_CASE("bulge: at rest distances do not change") {
  const Arm arm(kElbow, kHalf);
  const Motion motion{kElbow};
  const MetricResult r = measure("bulge", {&arm.rig, &motion});
  CHECK(number(r, "max") == 0);
  CHECK(number(r, "max_collapse") == 0);
  CHECK(place(r, "max_at").frame == 0);
}

TEST_CASE("bulge: the segment is the nearest of the bind pose, whatever the baseline") {
  // Two segments start at the first joint: along z, and along x. The vertex is beside the latter at
  // bind, and beside the former in the first frame.
  Arm arm({{0.5, 0.25, -1}, {0.5, 0.25, -1}, {0.5, 0.25, -1}}, Weights(3, {{0, 1.0}}));
  auto skeleton = std::make_shared<Skeleton>(*arm.rig.skeleton);
  skeleton->nodes[2].parent = 0;
  skeleton->nodes[2].translation = {1, 0, 0};
  arm.rig.skeleton = skeleton;
  arm.rig.joints[2].joint_from_model.translation = {-1, 0, 1};
  const Motion motion{Points(3, {0.5, 0.25, -0.5}), Points(3, {0.5, 0.75, -1})};
  MetricResult r = measure("bulge", {&arm.rig, &motion});
  CHECK(number(r, "max") == doctest::Approx(2));
  r = measure("bulge", {.rig = &arm.rig, .motion = &motion, .baseline = Baseline::kFirstFrame});
  const double first = std::hypot(0.25, 0.5);
  CHECK(number(r, "max") == doctest::Approx(0.75 / first - 1));
  CHECK(number(r, "max_m") == doctest::Approx(0.75 - first));
  CHECK(numbers(r, "per_frame.mean")[0] == 0);
}

TEST_CASE("bulge: the first frame is that of the clip, whatever the range of frames") {
  // The arm turns about x at the shoulder, so that no distance changes. The range begins at 1 s.
  const Points rest{{0, 0.5, -0.5}, {0, 0.5, -0.5}, {0, 0.5, -0.5}};
  const Arm arm(rest, Weights(3, {{0, 1.0}}));
  constexpr double kAngle = 1;
  Clip clip;
  clip.duration_s = 1;
  clip.channels = {channel(0, ChannelPath::kRotation, Interpolation::kLinear, {0, 1},
                           {0, 0, 0, 1, std::sin(kAngle / 2), 0, 0, std::cos(kAngle / 2)}, 4)};
  const Vec3<double> turned = turned_about_x({0, 0.5, 0.5}, kAngle);  // relative to the shoulder
  const Motion motion{Points(3, {turned.x, turned.y, turned.z - 1})};
  const MetricResult r = measure("bulge", {.rig = &arm.rig,
                                           .motion = &motion,
                                           .clip = &clip,
                                           .baseline = Baseline::kFirstFrame,
                                           .first_frame = 30,
                                           .baseline_points = &rest});
  CHECK(std::abs(number(r, "max")) < 1e-6);
  CHECK(std::abs(number(r, "max_collapse")) < 1e-6);
}

TEST_CASE("bulge: an elbow bent by linear blending collapses as the closed form says") {
  // The blend is the mean of a vertex and the vertex rotated by a. Outside, beyond the end of the
  // upper arm, its distance from the elbow is cos(a / 2) of the radius. Inside, its distance from
  // the upper arm is cos(a / 2)^2 of the radius.
  for (const double angle : {0.5, 1.0, 2.0}) {
    const Arm arm(kElbow, kHalf);
    const Clip clip = Arm::bent(angle);
    Points points = kElbow;
    for (std::size_t v = 0; v < 2; ++v) {
      const Vec3<double> there = turned_about_x(kElbow[v], angle);
      points[v] = {0, (points[v].y + there.y) / 2, there.z / 2};
    }
    const Motion motion{points};
    const MetricResult r = measure("bulge", {&arm.rig, &motion, &clip});
    const double c = std::cos(angle / 2);
    CHECK(number(r, "max_collapse") == doctest::Approx(1 - c * c).epsilon(1e-6));
    CHECK(place(r, "max_collapse_at").vertex == 1);
    CHECK(numbers(r, "per_frame.mean_collapse")[0] ==
          doctest::Approx((1 - c + 1 - c * c) / 3).epsilon(1e-6));
    CHECK(number(r, "max") == doctest::Approx(0));
  }
}

TEST_CASE("bulge: a vertex that moves away bulges, one that follows its segment does not") {
  const Weights lower{{{1, 1.0}}, {{1, 1.0}}, {{1, 1.0}}};
  const Points rest{{0, kElbowRadius, 0.5}, {0, -kElbowRadius, 0.5}, {0.5, 0, 0.25}};
  const Arm arm(rest, lower);
  const Clip clip = Arm::bent(1.25);
  Points points = rest;
  for (Vec3<double>& p : points) p = turned_about_x(p, 1.25);
  const Motion follows{points};
  const MetricResult still = measure("bulge", {&arm.rig, &follows, &clip});
  CHECK(number(still, "max") < 1e-6);
  CHECK(number(still, "max_collapse") < 1e-6);
  points[2] = turned_about_x({0.75, 0, 0.25}, 1.25);
  const Motion out{points};
  const MetricResult r = measure("bulge", {&arm.rig, &out, &clip});
  CHECK(number(r, "max") == doctest::Approx(0.5));
  CHECK(number(r, "max_m") == doctest::Approx(0.25));
  CHECK(place(r, "max_at").vertex == 2);
  CHECK(numbers(r, "per_frame.mean")[0] == doctest::Approx(0.5 / 3).epsilon(1e-6));
}

TEST_CASE("bulge: the worst vertex is that of the largest change in metres") {
  // The first vertex is 0.5 mm from its segment and moves 10 mm away, 20 times its distance. The
  // second one moves 50 mm from a distance of 250 mm, the third as much towards the segment.
  const Weights lower{{{1, 1.0}}, {{1, 1.0}}, {{1, 1.0}}};
  const Arm arm({{0, 0.0005, 0.5}, {0, -0.25, 0.5}, {0.5, 0, 0.25}}, lower);
  const Motion motion{{{0, 0.0105, 0.5}, {0, -0.3, 0.5}, {0.45, 0, 0.25}}};
  const MetricResult r = measure("bulge", {&arm.rig, &motion});
  CHECK(place(r, "max_at").vertex == 1);
  CHECK(number(r, "max_m") == doctest::Approx(0.05).epsilon(1e-6));
  CHECK(number(r, "max") == doctest::Approx(0.2).epsilon(1e-6));
  CHECK(place(r, "max_collapse_at").vertex == 2);
  CHECK(number(r, "max_collapse_m") == doctest::Approx(0.05).epsilon(1e-6));
  CHECK(number(r, "max_collapse") == doctest::Approx(0.1).epsilon(1e-6));
}

TEST_CASE("bulge: a joint without segments is a point; a vertex on its segment is ignored") {
  const Weights hand{{{2, 1.0}}, {{2, 1.0}}, {{0, 1.0}}};
  const Points rest{{0, 0.5, 1}, {0, 0, 1.25}, {0, 0, -0.5}};
  const Arm arm(rest, hand);
  const Motion motion{{{0, 0.25, 1}, {0, 0, 1.5}, {1, 0, -0.5}}};
  const MetricResult r = measure("bulge", {&arm.rig, &motion});
  CHECK(number(r, "max") == doctest::Approx(1));
  CHECK(number(r, "max_m") == doctest::Approx(0.25));
  CHECK(place(r, "max_at").vertex == 1);
  CHECK(number(r, "max_collapse") == doctest::Approx(0.5));
  CHECK(numbers(r, "per_frame.mean")[0] == doctest::Approx(0.5));
}

}  // namespace skinbake
