// Normals of the posed triangles, and the kind of normals that a bake computes.

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "metrics/shapes.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/normal_rigs.h"
#include "support/rigs.h"
#include "support/targets.h"

namespace skinbake {
namespace {

using enum NormalKind;
using test::captured_normals;
using test::distance;
using test::plan_of;
using test::with_normals;

// A cube about the origin. Each corner of each triangle is a separate vertex.
test::Surface split_cube() {
  const test::Surface whole = test::cube({-1, -1, -1}, 2);
  test::Surface split;
  for (const auto& [a, b, c] : whole.triangles) {
    const auto first = static_cast<VertexIndex>(split.points.size());
    for (const VertexIndex v : {a, b, c}) split.points.push_back(whole.points[v]);
    split.triangles.push_back({first, first + 1, first + 2});
  }
  return split;
}

// The normal of the side that a vertex's triangle lies in.
Vec3<double> side_of(const test::Surface& cube, VertexIndex v) {
  const std::array<VertexIndex, 3>& corners = cube.triangles[v / 3];
  const auto sum = [&](double Vec3<double>::*axis) {
    double all = 0;
    for (const VertexIndex corner : corners) all += cube.points[corner].*axis;
    return std::abs(all) == 3 ? all / 3 : 0;
  };
  return {sum(&Vec3<double>::x), sum(&Vec3<double>::y), sum(&Vec3<double>::z)};
}

}  // namespace

TEST_CASE(
    "geometric normals: the normal of a cube's corner is its diagonal, for any triangulation") {
  // Each of the three sides has a right angle at the corner, in one triangle or in two triangles.
  const test::Surface cube = test::cube({-1, -1, -1}, 2);
  const Rig rig = test::rigid(cube);
  const auto normals = captured_normals(plan_of(rig, nullptr, 1), kGeometric);
  REQUIRE(normals.normals.size() == 24);
  for (VertexIndex v = 0; v < 8; ++v) {
    const double k = std::sqrt(1.0 / 3);
    const Vec3<double>& p = cube.points[v];
    CHECK(distance(normals.at(0, v), {k * p.x, k * p.y, k * p.z}) < 1e-7);
  }
}

TEST_CASE("geometric normals: hard edges stay hard, other vertices are welded") {
  const test::Surface cube = split_cube();
  std::vector<float> flat;
  for (VertexIndex v = 0; v < cube.points.size(); ++v) {
    const Vec3<double> n = side_of(cube, v);
    for (const double x : {n.x, n.y, n.z}) flat.push_back(static_cast<float>(x));
  }
  const Rig bare = test::rigid(cube), hard = with_normals(bare, flat);
  const auto of_hard = captured_normals(plan_of(hard, nullptr, 1), kGeometric);
  const auto of_bare = captured_normals(plan_of(bare, nullptr, 1), kGeometric);
  for (VertexIndex v = 0; v < cube.points.size(); ++v) {
    const double k = std::sqrt(1.0 / 3);
    const Vec3<double>& p = cube.points[v];
    CHECK(distance(of_hard.at(0, v), side_of(cube, v)) < 1e-7);
    CHECK(distance(of_bare.at(0, v), {k * p.x, k * p.y, k * p.z}) < 1e-7);
  }
}

TEST_CASE("geometric normals: they depend on the triangles, not on the joints") {
  // A sheared plane: z = x. Skinned by one matrix, both kinds are (-1, 0, 1) / sqrt 2.
  test::Surface plane{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 3, 2}}};
  // The second joint lifts x = 1 by 1: linear blending does not change the skinned normals.
  const Rig rig = with_normals(test::chained(plane, 2, {{{0, 1}}, {{1, 1}}, {{0, 1}}, {{1, 1}}}),
                               {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
  Clip clip;
  clip.channels = {test::channel(rig.joints[1].node, ChannelPath::kTranslation,
                                 Interpolation::kLinear, {0, 1}, {0, 0, 0, 0, 0, 1}, 3)};
  const auto skinned = captured_normals(plan_of(rig, &clip, 31), kSkinned);
  const auto geometric = captured_normals(plan_of(rig, &clip, 31), kGeometric);
  for (std::int64_t f = 0; f < 31; ++f) {
    const double h = static_cast<double>(f) / 30, length = std::hypot(1, h);
    for (VertexIndex v = 0; v < 4; ++v) {
      CHECK(distance(skinned.at(f, v), {0, 0, 1}) < 1e-7);
      CHECK(distance(geometric.at(f, v), {-h / length, 0, 1 / length}) < 1e-7);
    }
  }
}

TEST_CASE("geometric normals: they point outwards after a mirror") {
  const test::Surface cube = test::cube({-1, -1, -1}, 2);
  const Rig rig = test::rigid(cube);
  Clip clip;
  clip.channels = {test::channel(rig.joints[0].node, ChannelPath::kScale, Interpolation::kStep, {0},
                                 {-1, 1, 1}, 3)};
  const auto normals = captured_normals(plan_of(rig, &clip, 1), kGeometric);
  for (VertexIndex v = 0; v < 8; ++v) {
    const double k = std::sqrt(1.0 / 3);
    const Vec3<double>& p = cube.points[v];
    CHECK(distance(normals.at(0, v), {-k * p.x, k * p.y, k * p.z}) < 1e-7);
  }
}

TEST_CASE("geometric normals: that of a vertex without triangles is zero") {
  test::Surface surface = test::tetrahedron();
  surface.points.push_back({5, 5, 5});  // without a triangle
  surface.points.push_back({6, 6, 6});  // of a triangle without area
  surface.triangles.push_back({5, 5, 5});
  surface.points.push_back({7, 0, 0});  // of two coincident triangles of opposite orientation
  surface.points.push_back({8, 0, 0});
  surface.points.push_back({7, 1, 0});
  surface.triangles.push_back({6, 7, 8});
  surface.triangles.push_back({6, 8, 7});
  const Rig rig = test::rigid(surface);
  const auto normals = captured_normals(plan_of(rig, nullptr, 1), kGeometric);
  for (VertexIndex v = 0; v < surface.points.size(); ++v) {
    CHECK(std::abs(distance(normals.at(0, v), {0, 0, 0}) - (v < 4 ? 1 : 0)) < 1e-6);
  }
}

TEST_CASE("geometric normals: every instruction set and number of threads gives the same bits") {
  const Rig rig = test::tube({.rings = 40, .segments = 13, .joints = 3});
  const Clip clip = test::turning_clip(rig, {1, 2, 3}, 2, 3);
  BakePlan plan = plan_of(rig, &clip, 70);
  const auto expected = captured_normals(plan, kGeometric).normals;
  REQUIRE(expected.size() == rig.mesh->positions.size() * 70);
  plan.threads = 5;
  CHECK(captured_normals(plan, kGeometric).normals == expected);
  test::for_each_simd_target(
      [&](const std::string&) { CHECK(captured_normals(plan, kGeometric).normals == expected); });
}

TEST_CASE("normals: available kinds by mesh and method") {
  const Rig rig = test::tube({});
  const Rig bare = with_normals(rig, {});
  const Rig loose = test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}});
  const Method lbs = parse_method("lbs"), dm = parse_method("dm");
  CHECK(available_normals(*rig.mesh, lbs, kSkinned) == kSkinned);
  CHECK(available_normals(*rig.mesh, lbs, kGeometric) == kGeometric);
  CHECK(available_normals(*rig.mesh, dm, kSkinned) == kGeometric);
  CHECK(available_normals(*bare.mesh, lbs, kSkinned) == std::nullopt);
  CHECK(available_normals(*bare.mesh, lbs, kGeometric) == kGeometric);
  CHECK(available_normals(*loose.mesh, lbs, kGeometric) == std::nullopt);
  // A bake computes the kind that available_normals returns.
  CHECK(captured_normals(plan_of(rig, nullptr, 1), kSkinned, "dm").normals.empty());
  CHECK_FALSE(captured_normals(plan_of(rig, nullptr, 1), kGeometric, "dm").normals.empty());
  CHECK(captured_normals(plan_of(bare, nullptr, 1), kSkinned).normals.empty());
  CHECK(captured_normals(plan_of(loose, nullptr, 1), kGeometric).normals.empty());
}

}  // namespace skinbake
