// Partners against the nearest points that a search of all triangles finds.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compare/surface/changed_rigs.h"
#include "compare/surface/closest_point.h"
#include "compare/surface/matched_pair.h"
#include "metrics/shapes.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::Pair;

double nearest_of_all(const BindSurface& surface, const Vec3<double>& p) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& t : surface.triangles) {
    const ClosestPoint closest = closest_point(
        p, {surface.positions[t[0]], surface.positions[t[1]], surface.positions[t[2]]});
    nearest = std::min(nearest, closest.squared_distance);
  }
  return std::sqrt(nearest);
}

// Checks that no partner is farther than the nearest point by more than four times the median
// distance. Returns the largest distance of the nearest points.
double check_direction(const PointPairs& pairs, const BindSurface& of, const BindSurface& other) {
  std::vector<double> nearest;
  for (const SurfacePoint& point : pairs.points) {
    nearest.push_back(nearest_of_all(other, of.position(point)));
  }
  std::vector<double> sorted = nearest;
  std::sort(sorted.begin(), sorted.end());
  const double band = std::max(4 * sorted[sorted.size() / 2], 1e-6 * other.diagonal_m);
  double worst = 0;  // beyond the band
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    const double apart =
        test::distance(of.position(pairs.points[i]), other.position(pairs.partners[i]));
    worst = std::max(worst, apart - nearest[i] - band);
  }
  // The weights of a partner in its triangle are rounded.
  CHECK(worst <= 2e-7 * other.diagonal_m);
  return sorted.back();
}

double check(const Pair& pair) {
  return std::max(check_direction(pair.matched.a_to_b, pair.surfaces.a, pair.surfaces.b),
                  check_direction(*pair.matched.b_to_a, pair.surfaces.b, pair.surfaces.a));
}

// A closed spike along y, with sharp tips at both ends, whose radius is a part of its length.
test::Surface spike(int segments, double radius) {
  test::Surface s = test::sphere(1, segments).surface;
  for (auto& p : s.points)
    p = {radius * p.x, 2 * std::asin(std::clamp(p.y, -1.0, 1.0)), radius * p.z};
  return s;
}

// The positions rounded as by quantisation.
test::Surface rounded(test::Surface s, double step) {
  for (auto& p : s.points) {
    for (double* x : {&p.x, &p.y, &p.z}) *x = step * std::round(*x / step);
  }
  return s;
}

// Squares at heights z, one for each joint of `joints`.
Rig squares(const std::vector<double>& heights, const std::vector<JointIndex>& joints) {
  test::Surface s;
  test::Weights weights;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const auto v = static_cast<VertexIndex>(s.points.size());
    for (const auto& [x, y] : {std::pair{0., 0.}, {1., 0.}, {1., 1.}, {0., 1.}}) {
      s.points.push_back({x, y, heights[i]});
      weights.push_back({{joints[i], 1.0}});
    }
    s.triangles.push_back({v, v + 1, v + 2});
    s.triangles.push_back({v, v + 2, v + 3});
  }
  Rig rig = test::chained(s, 4, weights);
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  for (std::size_t n = 0; n < skeleton->nodes.size(); ++n) {
    skeleton->nodes[n].name = "joint " + std::to_string(n);
  }
  rig.skeleton = skeleton;
  return rig;
}

}  // namespace

TEST_CASE("surfaces: a sharp tip pairs with itself, although its faces point another way") {
  for (const double radius : {0.02, 0.05, 0.2}) {
    for (const double step : {1e-3, 1.3e-4}) {
      const test::Surface exact = spike(16, radius), quantised = rounded(exact, step);
      // Each vertex has moved by at most half of the diagonal of a cell.
      const double moved = step * std::sqrt(3) / 2;
      const Pair pair(test::rigid(exact), test::permuted(test::rigid(quantised), 3),
                      Match::kSurface, {.sampling = 0.05});
      CHECK(check(pair) <= moved * (1 + 1e-3));
      CHECK(pair.at_rest() <= 5 * moved);
    }
  }
}

TEST_CASE("surfaces: close sheets pair with themselves, whatever their weights have become") {
  // The gaps are within 0.1 % of the diagonal; B has the weights of the other sheet.
  for (const double gap : {1e-4, 5e-4, 1.2e-3}) {
    const Pair pair(squares({0, gap}, {0, 1}), squares({0, gap}, {1, 0}), Match::kSurface,
                    {.sampling = 0.1});
    CHECK(check(pair) < 1e-7);
    CHECK(pair.at_rest() < 1e-6);
    // The lost weights show in motion.
    CHECK(pair.in_motion(test::turning_clip(pair.a, {1, 0, 0}, 1)) > 0.1);
  }
}

TEST_CASE("surfaces: of sheets within the noise, a point takes that with its weights") {
  // The sheets of B are 6e-4 higher: the upper sheet of A is nearer to the lower one of B.
  const Pair pair(squares({0, 1e-3}, {1, 2}), squares({6e-4, 1.6e-3}, {1, 2}), Match::kSurface,
                  {.sampling = 0.1});
  check(pair);
  for (std::size_t v = 0; v < 8; ++v) {
    CHECK(pair.matched.a_to_b.partners[v].corners[0] / 4 == v / 4);
    CHECK(pair.matched.b_to_a->partners[v].corners[0] / 4 == v / 4);
  }
}

TEST_CASE("surfaces: weights that quantisation has rounded do not choose a farther point") {
  // Two squares 2e-3 apart with nearly equal weights; B is between them, nearer to the lower one.
  Rig a = squares({0, 2e-3}, {1, 1}), b = squares({5e-4}, {1});
  a.influences.clear();
  a.first_listed.clear();
  a.first_influence = {0};
  for (VertexIndex v = 0; v < 8; ++v) {
    const float little = v < 4 ? 0.015f : 0;
    a.influences.push_back({1, 1 - little});
    if (little > 0) a.influences.push_back({2, little});
    a.first_influence.push_back(static_cast<std::uint32_t>(a.influences.size()));
  }
  const Pair pair(a, b, Match::kSurface, {.sampling = 0.1});
  check(pair);
  for (std::size_t v = 0; v < 4; ++v) CHECK(pair.matched.b_to_a->partners[v].corners[0] < 4);
}

TEST_CASE("surfaces: parts that were joined pair with themselves") {
  // Close sheets on three joints, of which B has one, or the weights of another part.
  const std::vector<double> heights{0, 4e-4, 8e-4, 1.5e-3};
  for (const std::vector<JointIndex>& joined :
       {std::vector<JointIndex>{0, 0, 0, 0}, {3, 3, 3, 3}, {1, 1, 2, 2}}) {
    const Pair pair(squares(heights, {0, 1, 2, 3}), squares(heights, joined), Match::kSurface,
                    {.sampling = 0.1});
    CHECK(check(pair) < 1e-7);
    CHECK(pair.at_rest() < 1e-6);
  }
}

TEST_CASE("surfaces: a simplified surface has no partner beyond the noise of the files") {
  for (const int segments : {10, 17, 30}) {
    check(Pair(test::rigid(test::sphere(1, 36).surface),
               test::rigid(test::sphere(1, segments).surface), Match::kSurface,
               {.sampling = 0.05}));
  }
  const Rig a = test::tube({.rings = 30, .segments = 20, .joints = 3}),
            b = test::tube({.rings = 11, .segments = 9, .joints = 3});
  check(Pair(a, b, Match::kSurface, {.sampling = 0.05}));
}

}  // namespace skinbake
