#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>
#include <random>
#include <stdexcept>

#include "metrics/shapes.h"
#include "support/targets.h"

namespace skinbake {
namespace {

using namespace test;

struct MeasuredVolume {
  Topology topology;
  VolumeResult volume;
};

MeasuredVolume measured_volume(const Rig& rig, const Motion& motion) {
  MeasuredVolume m{build_topology(rig, bind_baseline(rig)), {}};
  const auto metric =
      measure_volume(rig, m.topology, {30, 0, 1, static_cast<std::int64_t>(motion.size())});
  CHECK(metric->needs_whole_block());
  run({&motion}, *metric);
  m.volume = metric->result();
  return m;
}

Points moved(const Points& points, double angle, const Vec3<double>& by) {
  Points result;
  for (const Vec3<double>& p : points) {
    result.push_back({p.x * std::cos(angle) - p.y * std::sin(angle) + by.x,
                      p.x * std::sin(angle) + p.y * std::cos(angle) + by.y, p.z + by.z});
  }
  return result;
}

Points scaled(const Points& points, double factor) {
  Points result;
  for (const Vec3<double>& p : points) {
    result.push_back({factor * p.x, factor * p.y, factor * p.z});
  }
  return result;
}

}  // namespace

TEST_CASE("volume: a mesh at rest has the loss 0") {
  const Surface surface = cube({0, 0, 0});
  const VolumeResult v = measured_volume(rigid(surface), {surface.points}).volume;
  REQUIRE(v.total);
  CHECK(v.total->baseline_m3 == 1);
  CHECK(v.volume_m3 == std::vector<double>{1});
  CHECK(v.loss == std::vector<double>{0});
  CHECK(v.total->max_loss_at.frame == 0);
  CHECK(v.issues.empty());
}

TEST_CASE("volume: scaling a cube by s multiplies its volume by s^3") {
  const Surface surface = cube({0, 0, 0});
  Motion motion(20, surface.points);
  motion[3] = motion[9] = scaled(surface.points, 0.5);
  motion[17] = scaled(surface.points, 2);
  const VolumeResult v = measured_volume(rigid(surface), motion).volume;
  REQUIRE(v.total);
  CHECK(v.volume_m3.size() == 20);
  CHECK(v.total->max_loss == doctest::Approx(0.875));
  CHECK(v.total->max_loss_at.frame == 3);
  CHECK(v.total->min_loss == doctest::Approx(-7));
  CHECK(v.total->min_loss_at.frame == 17);
  REQUIRE(v.components.size() == 1);
  CHECK(v.components[0].max_loss == v.total->max_loss);
}

TEST_CASE("volume: rigid motion changes the volume only by float32 rounding") {
  const Surface surface = open_cylinder(64, 20, 0.5, 2);
  Motion motion;
  for (int f = 0; f < 10; ++f) motion.push_back(moved(surface.points, 0.3 * f, {0, 0, 0.25 * f}));
  const VolumeResult v = measured_volume(rigid(surface), motion).volume;
  for (const double loss : v.loss) CHECK(std::abs(loss) < 1e-6);
}

TEST_CASE("volume: a translation that is exact in float32 changes the volume by less than 1e-9") {
  Surface surface = cube({0, 0, 0});
  const Motion motion{moved(surface.points, 0, {64, -32, 16})};
  const VolumeResult v = measured_volume(rigid(surface), motion).volume;
  CHECK(std::abs(v.loss[0]) < 1e-9);
}

namespace {

// The loss of a tube of `rings` rings with linear weights along it, twisted by `angle`.
double twist_loss(int rings, double angle) {
  const Surface tube = cylinder(16, rings, 0.5, 4);
  Points points = tube.points;
  for (Vec3<double>& p : points) {
    const double t = p.z / 4, c = 1 - t + t * std::cos(angle), s = t * std::sin(angle);
    p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
  }
  return measured_volume(rigid(tube), {points}).volume.loss[0];
}

}  // namespace

TEST_CASE("volume: a tube twisted by linear blending loses (1 - cos of the angle) / 3") {
  // The ring at height t is a blend of the ring at rest and the rotated ring: its squared radius is
  // 1 - 2 t (1 - t)(1 - cos), and the integral over t is the closed form. The diagonals of all
  // quads have the same direction, an error of O(1 / rings) that is removed by extrapolation.
  for (const double angle : {0.5, 1.0, 2.0, 3.0}) {
    const double coarse = twist_loss(401, angle), fine = twist_loss(801, angle);
    CHECK(2 * fine - coarse == doctest::Approx((1 - std::cos(angle)) / 3).epsilon(1e-5));
  }
}

TEST_CASE("volume: only solid components are measured; without one there is an issue and NaN") {
  const Surface card{{{0, 0, 0}, {1, 0, 0}, {0, 4, 0}, {1, 4, 0}}, {{0, 1, 3}, {0, 3, 2}}};
  const VolumeResult none = measured_volume(rigid(card), {card.points, card.points}).volume;
  CHECK_FALSE(none.total);
  REQUIRE(none.loss.size() == 2);
  CHECK(std::isnan(none.loss[0]));
  const auto message = [](const VolumeResult& result) {
    for (const Issue& issue : result.issues) {
      if (issue.code == "NO_VOLUME") return issue.message;
    }
    return std::string();
  };
  CHECK(message(none).starts_with("the surface does not have a closed"));
  Surface needle = cube({0, 0, 0});
  for (Vec3<double>& point : needle.points) point.x *= 1e30;
  CHECK(message(measured_volume(rigid(needle), {needle.points}).volume)
            .starts_with("the closed parts of the surface are flat, or stretched by huge"));

  Surface both = joined(card, cube({4, 4, 4}));
  const VolumeResult some = measured_volume(rigid(both), {both.points}).volume;
  REQUIRE(some.components.size() == 1);
  CHECK(some.components[0].component == 1);
  CHECK(some.total->baseline_m3 == doctest::Approx(1));
}

TEST_CASE("volume: parts that cancel to rounding have losses, and the whole has none") {
  Surface mirrored = cube({-4, 0, 0});
  for (auto& triangle : mirrored.triangles) std::swap(triangle[0], triangle[1]);
  mirrored.points[7].x += 1e-7;  // so that the sum is not exactly 0
  const Surface both = joined(cube({4, 0, 0}), mirrored);
  Points grown = both.points;
  for (Vec3<double>& point : grown) point.y *= 2;
  const VolumeResult v = measured_volume(rigid(both), {grown}).volume;
  CHECK_FALSE(v.total);
  CHECK(std::isnan(v.loss[0]));
  REQUIRE(v.components.size() == 2);
  CHECK(v.components[0].max_loss == doctest::Approx(-1));
  REQUIRE(!v.issues.empty());
  CHECK(v.issues.back().message.starts_with("the volumes of parts that are wound outwards"));
}

TEST_CASE("volume: a joint region has the loss of its part of the tube") {
  const Surface tube = cylinder(24, 41, 0.25, 4);
  Weights weights;
  for (const Vec3<double>& p : tube.points) {
    const double w = std::clamp(p.z - 1.5, 0.0, 1.0);
    weights.push_back(w <= 0   ? std::vector<Influence>{{0, 1.0}}
                      : w >= 1 ? std::vector<Influence>{{1, 1.0}}
                               : std::vector<Influence>{{0, 1 - w}, {1, w}});
  }
  Points pinched = tube.points;
  for (Vec3<double>& p : pinched) {
    if (p.z > 1.45 && p.z < 2.55) p = {p.x / 2, p.y / 2, p.z};  // the whole region
  }
  const MeasuredVolume m = measured_volume(chained(tube, 2, weights), {tube.points, pinched});
  REQUIRE(m.volume.joints.size() == 1);
  const VolumeResult::PerJoint& joint = m.volume.joints[0];
  CHECK(joint.joint == 1);
  CHECK(joint.triangle_count ==
        static_cast<std::int64_t>(m.topology.joint_regions[0].surface.triangles.size()));
  CHECK(std::abs(joint.loss[0]) < 1e-6);
  CHECK(joint.loss[1] == doctest::Approx(0.75).epsilon(1e-5));
  CHECK(joint.max_loss_at.frame == 1);
  CHECK(m.volume.total->max_loss < 0.3);
}

TEST_CASE("volume: a hole that shrinks to a point is capped") {
  const Surface tube = open_cylinder(16, 5, 0.5, 4);
  Points closed = tube.points;
  for (Vec3<double>& p : closed) {
    if (p.z == 0) p = {0, 0, 0};
  }
  const VolumeResult v = measured_volume(rigid(tube), {closed}).volume;
  CHECK(std::isfinite(v.loss[0]));
  CHECK(v.loss[0] > 0);
}

TEST_CASE("volume: successive triangles may share two sides, one side or none") {
  Surface ball = cylinder(24, 9, 0.5, 2);
  const double in_order = measured_volume(rigid(ball), {ball.points}).volume.volume_m3[0];
  std::mt19937 random(5);
  for (int i = 0; i < 3; ++i) {
    std::shuffle(ball.triangles.begin(), ball.triangles.end(), random);
    const VolumeResult v = measured_volume(rigid(ball), {ball.points}).volume;
    CHECK(v.volume_m3[0] == doctest::Approx(in_order).epsilon(1e-13));
    CHECK(std::abs(v.loss[0]) < 1e-6);
  }
  // A triangle and its reverse do not have a volume.
  Surface flap = cube({0, 0, 0});
  const auto [a, b, c] = flap.triangles[0];
  flap.triangles.insert(flap.triangles.begin() + 1, {{a, b, c}, {c, b, a}});
  const Component component = measured_volume(rigid(flap), {flap.points}).topology.components[0];
  CHECK(component.baseline_volume_m3 == doctest::Approx(1));
}

TEST_CASE("volume: the topology is requested once, and its error is passed on") {
  const Surface surface = cube({0, 0, 0});
  const Rig rig = rigid(surface);
  const Motion motion(20, surface.points);
  std::optional<Topology> topology;
  int calls = 0;
  const auto metric = measure_volume(rig,
                                     [&]() -> const Topology& {
                                       ++calls;
                                       topology = build_topology(rig, bind_baseline(rig));
                                       return *topology;
                                     },
                                     {30, 0, 1, 20});
  CHECK(calls == 0);
  run({&motion}, *metric);
  CHECK(calls == 1);
  CHECK(metric->result().loss == std::vector<double>(20, 0));

  const auto failing = measure_volume(
      rig, []() -> const Topology& { throw std::runtime_error("failed"); }, {30, 0, 1, 20});
  CHECK_THROWS_WITH(run({&motion}, *failing), "failed");
}

TEST_CASE("volume: every instruction set gives the same bits") {
  const Surface tube = open_cylinder(40, 30, 0.5, 2);
  Motion motion;
  for (int f = 0; f < 21; ++f) motion.push_back(moved(tube.points, 0.1 * f, {0.01 * f, 0, 0}));
  std::vector<double> first;
  test::for_each_simd_target([&](const std::string&) {
    const VolumeResult v = measured_volume(rigid(tube), motion).volume;
    if (first.empty()) first = v.volume_m3;
    CHECK(std::memcmp(first.data(), v.volume_m3.data(), first.size() * sizeof(double)) == 0);
  });
}

}  // namespace skinbake
