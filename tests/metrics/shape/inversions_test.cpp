#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "metrics/measure.h"
#include "support/rigs.h"
#include "support/rotations.h"

namespace skinbake {
namespace {

using namespace test;

Clip turning(double angle, int joint = 0) {
  Clip clip;
  clip.duration_s = 1;
  clip.channels = {channel(joint, ChannelPath::kRotation, Interpolation::kLinear, {0},
                           {std::sin(angle / 2), 0, 0, std::cos(angle / 2)}, 4)};
  return clip;
}

Points turned(Points points, double angle) {
  for (Vec3<double>& p : points) p = turned_about_x(p, angle);
  return points;
}

}  // namespace

TEST_CASE("inversions: none at rest; a mirrored cube has inverted triangles") {
  const Surface box = cube({-0.5, -0.5, -0.5});
  const Rig rig = rigid(box);
  Points mirrored = box.points;
  for (Vec3<double>& p : mirrored) p.x = -p.x;
  const Motion motion{box.points, mirrored, box.points};
  const MetricResult r = measure("inversions", {&rig, &motion});
  CHECK(counts(r, "per_frame.count") == std::vector<std::int64_t>{0, 8, 0});
  CHECK(count(r, "worst") == 8);
  CHECK(place(r, "worst_at").frame == 1);
}

TEST_CASE("inversions: a triangle that flips over is inverted, a triangle without area is not") {
  Surface box = cube({0, 0, 0});
  const Rig rig = rigid(box);
  Points pushed = box.points;
  pushed[7] = {-1, -1, 1};  // half of its lid flips over within the plane
  Points flat = box.points;
  for (Vec3<double>& p : flat) p.z = 0;
  const Motion motion{pushed, flat};
  const std::vector<std::int64_t> count =
      counts(measure("inversions", {&rig, &motion}), "per_frame.count");
  CHECK(count[0] >= 1);
  CHECK(count[1] == 0);  // the area of the walls is zero; the lids do not change
}

TEST_CASE("inversions: a surface that follows its joint has none, at any angle and mirrored") {
  const Surface box = cube({0, 0, 0});
  const Rig rig = rigid(box);
  for (const double angle : {1.0, 2.0, 3.0}) {
    const Clip clip = turning(angle);
    const Motion motion{turned(box.points, angle)};
    CHECK(count(measure("inversions", {&rig, &motion, &clip}), "worst") == 0);
    const Motion left{box.points};  // does not follow its joint
    CHECK((count(measure("inversions", {&rig, &left, &clip}), "worst") > 0) ==
          (angle > std::numbers::pi / 2));
  }
  Clip mirror;
  mirror.duration_s = 1;
  mirror.channels = {channel(0, ChannelPath::kScale, Interpolation::kLinear, {0}, {-1, 1, 1}, 3)};
  Points mirrored = box.points;
  for (Vec3<double>& p : mirrored) p.x = -p.x;
  const Motion motion{mirrored};
  CHECK(count(measure("inversions", {&rig, &motion, &mirror}), "worst") == 0);
}

TEST_CASE("inversions: rotations of joints are blended by the weights of the corners") {
  // Equal weights of a joint at rest and a joint rotated by 2 rad give a rotation of 1 rad:
  // triangles rotated by 1 + 1.7 and 1 - 1.7 rad are inverted, a triangle rotated by 1 rad is not.
  const Surface one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const Weights half{{{0, 1.0}}, {{1, 1.0}}, {{0, 0.5}, {1, 0.5}}};
  const Rig rig = chained(one, 2, half);
  const Clip clip = turning(2, 1);
  for (const double angle : {1.0, 2.5, -0.5, 2.7, -0.7}) {
    const Motion motion{turned(one.points, angle)};
    const bool inverted = std::abs(angle - 1) > std::numbers::pi / 2;
    CHECK(count(measure("inversions", {&rig, &motion, &clip}), "worst") == (inverted ? 1 : 0));
  }
}

}  // namespace skinbake
