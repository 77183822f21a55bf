#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "metrics/shapes.h"

namespace skinbake {
namespace {

using namespace test;

Topology topology_of(const Rig& rig) {
  return build_topology(rig, bind_baseline(rig));
}
Topology topology_of(const Surface& surface) {
  return topology_of(rigid(surface));
}

void turn(Surface& surface, std::size_t triangle) {
  std::swap(surface.triangles[triangle][1], surface.triangles[triangle][2]);
}

}  // namespace

TEST_CASE("topology: a rig without triangles does not have components") {
  const Topology t = topology_of(Surface{{{0, 0, 0}, {1, 0, 0}}, {}});
  CHECK(t.components.empty());
  CHECK(t.welded_vertex_count == 2);
  CHECK(t.cap_area_fraction == 0);
}

TEST_CASE("topology: a tetrahedron is closed and solid and has the volume 1/6") {
  const Topology t = topology_of(tetrahedron());
  REQUIRE(t.components.size() == 1);
  CHECK(t.closed);
  CHECK(t.components[0].closed);
  CHECK(t.components[0].solid);
  CHECK(t.components[0].baseline_volume_m3 == doctest::Approx(1.0 / 6).epsilon(1e-15));
  CHECK(t.boundary_edges == 0);
  CHECK(t.flipped_edges == 0);
}

TEST_CASE("topology: a cube far from the origin keeps its volume") {
  const Topology t = topology_of(cube({4096, -4096, 4096}, 2));
  REQUIRE(t.components.size() == 1);
  CHECK(t.components[0].baseline_volume_m3 == doctest::Approx(8).epsilon(1e-14));
}

TEST_CASE("topology: an inside-out surface has a negative volume") {
  Surface inside_out = cube({0, 0, 0});
  for (std::size_t i = 0; i < inside_out.triangles.size(); ++i) turn(inside_out, i);
  const Topology t = topology_of(inside_out);
  CHECK(t.flipped_edges == 0);
  CHECK(t.components[0].solid);
  CHECK(t.components[0].baseline_volume_m3 == doctest::Approx(-1));
}

TEST_CASE("topology: an open cylinder is capped to the volume of a closed one") {
  const int segments = 48;
  const double radius = 0.5, height = 3;
  const double polygon = segments / 2.0 * std::sin(2 * std::numbers::pi / segments);
  const Topology t = topology_of(open_cylinder(segments, 7, radius, height));
  REQUIRE(t.components.size() == 1);
  CHECK_FALSE(t.closed);
  CHECK(t.boundary_components == 2);
  CHECK(t.boundary_edges == 2 * segments);
  CHECK(t.components[0].solid);
  CHECK(t.components[0].baseline_volume_m3 ==
        doctest::Approx(polygon * radius * radius * height).epsilon(1e-6));
  const double cap = 2 * polygon * radius * radius;
  const double side = 2 * segments * std::sin(std::numbers::pi / segments) * radius * height;
  CHECK(t.cap_area_fraction == doctest::Approx(cap / (cap + side)).epsilon(1e-6));
  CHECK(t.components[0].cap_area_fraction == t.cap_area_fraction);
}

TEST_CASE("topology: a short open cylinder is mostly cap and not solid") {
  const Topology t = topology_of(open_cylinder(24, 2, 1, 0.5));
  CHECK(t.components[0].cap_area_fraction > 0.4);
  CHECK_FALSE(t.components[0].solid);
}

TEST_CASE("topology: a flat hair card is not solid") {
  const Topology t =
      topology_of(Surface{{{0, 0, 0}, {1, 0, 0}, {0, 4, 0}, {1, 4, 0}}, {{0, 1, 3}, {0, 3, 2}}});
  CHECK(t.boundary_components == 1);
  CHECK(t.boundary_edges == 4);
  CHECK_FALSE(t.components[0].solid);
}

TEST_CASE("topology: two cubes sharing an edge are one closed component") {
  Surface both = joined(cube({0, 0, 0}), cube({1, 1, 0}));
  const Topology t = topology_of(both);  // vertices 3 and 7 of the first are 0 and 4 of the second
  CHECK(t.welded_vertex_count == 14);
  CHECK(t.components.size() == 1);
  CHECK(t.closed);
  CHECK(t.nonmanifold_edges == 1);
  CHECK(t.flipped_edges == 0);
  CHECK(t.components[0].baseline_volume_m3 == doctest::Approx(2));
}

TEST_CASE("topology: separate components are listed by their first vertex") {
  Surface both = joined(tetrahedron(), cube({5, 0, 0}));
  std::rotate(both.triangles.begin(), both.triangles.begin() + 4, both.triangles.end());
  const Topology t = topology_of(both);
  REQUIRE(t.components.size() == 2);
  CHECK(t.components[0].first_vertex == 0);
  CHECK(t.components[0].triangles.size() == 4);
  CHECK(t.components[1].first_vertex == 4);
  CHECK(t.components[1].triangles.size() == 12);
}

TEST_CASE("topology: an inner shell subtracts") {
  Surface inner = cube({0.25, 0.25, 0.25}, 0.5);
  for (std::size_t i = 0; i < inner.triangles.size(); ++i) turn(inner, i);
  const Topology t = topology_of(joined(cube({0, 0, 0}), inner));
  CHECK(t.components[0].baseline_volume_m3 == doctest::Approx(1));
  CHECK(t.components[1].baseline_volume_m3 == doctest::Approx(-0.125));
}

TEST_CASE("topology: flipped triangles are reversed") {
  Surface flipped = cube({0, 0, 0});
  turn(flipped, 5);
  turn(flipped, 9);
  const Topology t = topology_of(flipped);
  CHECK(t.flipped_edges == 6);
  CHECK(t.flipped_triangles == 2);
  CHECK(t.closed);
  CHECK(t.non_orientable_patches == 0);
  CHECK(t.components[0].baseline_volume_m3 == doctest::Approx(1));
}

TEST_CASE("topology: if more than half of a patch would be reversed, the others are") {
  Surface flipped = cube({0, 0, 0});
  turn(flipped, 0);  // the lowest triangle is the only wrong one
  const Topology t = topology_of(flipped);
  CHECK(t.flipped_edges == 3);
  CHECK(t.flipped_triangles == 1);
  CHECK(t.components[0].baseline_volume_m3 == doctest::Approx(1));
}

TEST_CASE("topology: reversing triangles of one patch does not change other patches") {
  Surface flipped = cube({5, 0, 0});
  turn(flipped, 3);
  const Topology t = topology_of(joined(tetrahedron(), flipped));
  CHECK(t.flipped_triangles == 1);
  CHECK(t.closed);
  CHECK(t.components[1].baseline_volume_m3 == doctest::Approx(1));
}

TEST_CASE("topology: a Moebius strip is not orientable and is not changed") {
  const Surface strip = mobius_strip(16);
  const Topology t = topology_of(strip);
  CHECK(t.non_orientable_patches == 1);
  CHECK(t.flipped_triangles == 0);
  CHECK(t.flipped_edges == 1);
  CHECK_FALSE(t.closed);
  CHECK(t.boundary_edges == 32 + 2);  // its rim, and the flipped edge with a net of two
  CHECK(t.triangles == strip.triangles);
}

TEST_CASE("topology: seams are welded, degenerate triangles are removed and counted") {
  Surface split = cube({0, 0, 0});
  split.points.push_back(split.points[0]);
  split.points.back().x = -0.0;
  split.triangles[0][0] = 8;             // one side uses a copy of vertex 0
  split.triangles.push_back({0, 8, 1});  // degenerate: two corners are one point
  const Topology t = topology_of(split);
  CHECK(t.welded[8] == 0);
  CHECK(t.welded_vertex_count == 8);
  CHECK(t.degenerate_triangles == 1);
  CHECK(t.triangles.size() == 12);
  CHECK(t.closed);
}

TEST_CASE("topology: a seam with different influences is cracked and stays open") {
  Surface split = cube({0, 0, 0});
  split.points.push_back(split.points[0]);
  split.triangles[0][0] = 8;
  Weights weights(9, {{0, 1.0}});
  weights[8] = {{0, 0.5}, {1, 0.5}};
  const Topology t = topology_of(chained(split, 2, weights));
  CHECK(t.cracked_positions == 1);
  CHECK(t.welded[8] == 8);
  CHECK_FALSE(t.closed);
  CHECK(t.boundary_components == 1);
}

TEST_CASE("topology: weights that differ by rounding are welded, in any order of joints") {
  Surface split = cube({0, 0, 0});
  for (int copy = 0; copy < 4; ++copy) split.points.push_back(split.points[0]);
  Weights weights(12, {{0, 0.5}, {1, 0.5}});
  weights[8] = {{1, 0.5 + 9e-8}, {0, 0.5 - 9e-8}};
  weights[9] = {{1, 0.5 + 2e-7}, {0, 0.5 - 2e-7}};
  weights[10] = {{0, 0.5}, {1, 0.5 - 9e-8}, {2, 9e-8}};
  weights[11] = {{1, 0.5 + 2.5e-7}, {0, 0.5 - 2.5e-7}};
  const Topology t = topology_of(chained(split, 3, weights));
  CHECK(t.welded[8] == 0);
  CHECK(t.welded[9] == 9);
  CHECK(t.welded[10] == 0);
  CHECK(t.welded[11] == 9);
  CHECK(t.cracked_positions == 1);
}

TEST_CASE("topology: points with different morph deltas are not welded, and not cracked") {
  Surface split = cube({0, 0, 0});
  split.points.push_back(split.points[0]);
  Rig rig = rigid(split);
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->morph_targets.push_back({std::vector<float>(27, 0.0f), {}, {}});
  mesh->morph_targets[0].positions[24] = 1;
  rig.mesh = mesh;
  rig.morph_weights = {0};
  const Topology t = topology_of(rig);
  CHECK(t.welded[8] == 8);
  CHECK(t.cracked_positions == 0);
}

TEST_CASE("topology: many vertices at one position with different influences take linear time") {
  Surface heap;
  heap.points.assign(20000, {0, 0, 0});
  Weights weights;
  for (int v = 0; v < 20000; ++v) weights.push_back({{0, 1 - (v / 2) * 1e-5}, {1, (v / 2) * 1e-5}});
  const Topology t = topology_of(chained(heap, 2, weights));
  CHECK(t.welded_vertex_count == 10000);
  CHECK(t.cracked_positions == 1);
}

TEST_CASE("topology: the region of a joint is the triangles that it moves partly") {
  // A chain of three joints. The weights of joint 1 and its child rise between rings 2 and 4.
  const int segments = 12, rings = 9;
  const Surface tube = cylinder(segments, rings, 0.25, 4);
  Weights weights;
  for (const Vec3<double>& p : tube.points) {
    const double w = std::clamp((p.z - 1) / 1.0, 0.0, 1.0);
    weights.push_back(w == 0   ? std::vector<Influence>{{0, 1.0}}
                      : w == 1 ? std::vector<Influence>{{2, 1.0}}
                               : std::vector<Influence>{{0, 1 - w}, {2, w}});
  }
  const Topology t = topology_of(chained(tube, 3, weights));
  REQUIRE(t.joint_regions.size() == 2);
  CHECK(t.joint_regions[0].joint == 1);  // because of its descendant
  CHECK(t.joint_regions[1].joint == 2);
  for (const JointRegion& region : t.joint_regions) {
    CHECK(region.surface.triangles.size() == 4 * segments);
    CHECK(region.surface.caps.size() == 2);
    CHECK(region.surface.solid);
    const double polygon = segments / 2.0 * std::sin(2 * std::numbers::pi / segments);
    CHECK(region.surface.baseline_volume_m3 == doctest::Approx(polygon * 0.0625 * 1).epsilon(1e-6));
  }
}

TEST_CASE("topology: regions agree with a plain loop for random hierarchies and influences") {
  const Surface tube = cylinder(10, 40, 0.25, 4);
  Weights weights;
  std::uint32_t state = 1;
  const auto random = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  const int joints = 130;
  for (std::size_t v = 0; v < tube.points.size(); ++v) {
    const auto first = static_cast<JointIndex>(random() % (joints - 40));
    const double w = 0.5 + (random() % 50) / 100.0;
    weights.push_back({{first, w}, {first + 1 + static_cast<JointIndex>(random() % 39), 1 - w}});
  }
  Rig rig = chained(tube, joints, weights);
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  for (int j = 1; j < joints; ++j)
    skeleton->nodes[static_cast<std::size_t>(j)].parent = (j - 1) / 2;
  rig.skeleton = skeleton;
  const Topology t = topology_of(rig);
  REQUIRE(t.components[0].solid);
  std::vector<std::vector<std::uint32_t>> expected(joints);
  for (std::uint32_t i = 0; i < t.triangles.size(); ++i) {
    std::vector<double> sums(joints, 0);
    for (const VertexIndex v : t.triangles[i]) {
      for (const Influence& influence : rig.influences_of(v)) {
        for (int j = static_cast<int>(influence.joint); j >= 0; j = j == 0 ? -1 : (j - 1) / 2) {
          sums[static_cast<std::size_t>(j)] += influence.weight;
        }
      }
    }
    for (std::size_t j = 0; j < sums.size(); ++j) {
      if (sums[j] / 3 > 0.02 && sums[j] / 3 < 0.98) expected[j].push_back(i);
    }
  }
  std::size_t next = 0;
  for (JointIndex j = 0; j < joints; ++j) {
    if (expected[j].empty()) continue;
    REQUIRE(next < t.joint_regions.size());
    CHECK(t.joint_regions[next].joint == j);
    CHECK(t.joint_regions[next].surface.triangles == expected[j]);
    ++next;
  }
  CHECK(next == t.joint_regions.size());
}

}  // namespace skinbake
