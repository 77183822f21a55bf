#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "metrics/measure.h"

namespace skinbake {
namespace {

using namespace test;

constexpr double kPi = std::numbers::pi;

// Two right triangles at an edge along y. The left one is rotated upwards by `angle`.
Points wings(double angle) {
  return {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-std::cos(angle), 0, std::sin(angle)}};
}
const Triangles kWings{{0, 2, 1}, {0, 1, 3}};

MetricResult opened(double rest, const std::vector<double>& angles) {
  const Rig rig = rigid({wings(rest), kWings});
  Motion motion;
  for (const double angle : angles) motion.push_back(wings(angle));
  return measure("dihedral", {&rig, &motion});
}

}  // namespace

TEST_CASE("dihedral: rotating a triangle by an angle changes the dihedral angle by that angle") {
  const std::vector<double> angles{0.0, 0.25, -0.5, 1.5, 3.0, -3.0};
  const MetricResult r = opened(0, angles);
  for (std::size_t f = 0; f < angles.size(); ++f) {
    CHECK(numbers(r, "per_frame.max")[f] == doctest::Approx(std::abs(angles[f])).epsilon(1e-6));
    CHECK(numbers(r, "per_frame.rms")[f] == numbers(r, "per_frame.max")[f]);
  }
  CHECK(number(r, "max") == doctest::Approx(3).epsilon(1e-6));
  CHECK(place(r, "max_at").frame == 4);
  CHECK(place(r, "max_at").edge == std::array<std::int64_t, 2>{1, 0});
  CHECK(count(r, "folds") == 2);  // 3 rad are 171.9 degrees
}

TEST_CASE("dihedral: changes are at most half a turn; only open edges can fold") {
  const MetricResult r = opened(3, {-3.0, 3.1, 3.0});
  CHECK(numbers(r, "per_frame.max")[0] == doctest::Approx(2 * kPi - 6).epsilon(1e-5));
  CHECK(count(r, "folds") == 0);
  CHECK(count(opened(1.5, {3.0}), "folds") == 1);
}

TEST_CASE("dihedral: the rms is over all edges and frames") {
  // A cube at rest.
  const Surface box = cube({0, 0, 0});
  const Rig rig = rigid(box);
  const Motion motion(3, box.points);
  CHECK(number(measure("dihedral", {&rig, &motion}), "rms") == doctest::Approx(0));

  const MetricResult r = opened(0, {0.0, 0.5});
  CHECK(number(r, "rms") == doctest::Approx(0.5 / std::sqrt(2)).epsilon(1e-6));
}

TEST_CASE("dihedral: folds are counted over edges and frames") {
  const Surface flat{wings(0), kWings};
  const auto posed = [](double first, double second) {
    return joined({wings(first), kWings}, {wings(second), kWings}).points;
  };
  Surface apart = joined(flat, flat);
  for (std::size_t v = 4; v < 8; ++v) apart.points[v].x += 5;
  const Rig rig = rigid(apart);
  const Motion motion{posed(0, 0), posed(3, 3), posed(0, -3), posed(-3, 3)};
  CHECK(count(measure("dihedral", {&rig, &motion}), "folds") == 5);
}

TEST_CASE("dihedral: boundaries and edges of three triangles are ignored") {
  const Surface fins{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {0, 1, 4}}};
  const Rig rig = rigid(fins);
  const Motion motion{fins.points};
  const MetricResult r = measure("dihedral", {&rig, &motion});
  CHECK(std::isnan(number(r, "max")));
  CHECK(place(r, "max_at").frame == -1);
}

}  // namespace skinbake
