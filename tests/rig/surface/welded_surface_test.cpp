#include "rig/surface/welded_surface.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/rigs.h"

namespace skinbake {
namespace {

// Two adjacent quads, 0 1 2 3 and 4 5 6 7, with separate vertices at their common edge.
Rig two_quads() {
  Rig rig = test::loose({{0, 0, 0},
                         {1, 0, 0},
                         {1, 1, 0},
                         {0, 1, 0},
                         {1, 0, 0},
                         {2, 0, 0},
                         {2, 1, 0},
                         {1, 1, 0},
                         {9, 9, 9}},
                        std::vector<Node>(2), std::vector<std::vector<Influence>>(9, {{0, 1}}));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}, {1, 4, 2}};
  rig.mesh = mesh;
  return rig;
}

}  // namespace

TEST_CASE("welded surface: seams are closed, degenerate triangles removed, unused vertices kept") {
  const WeldedSurface surface = build_surface(two_quads());
  CHECK(surface.point_count() == 7);
  CHECK(surface.triangles.size() == 4);
  CHECK(surface.point_of[1] == surface.point_of[4]);
  CHECK(surface.point_of[2] == surface.point_of[7]);
  CHECK(surface.vertex_of[surface.point_of[7]] == 2);
  CHECK(surface.neighbours_of(surface.point_of[8]).empty());
  const auto seam = surface.neighbours_of(surface.point_of[1]);  // 0, 2, 5 and 6
  CHECK(seam.size() == 4);
  CHECK(std::is_sorted(seam.begin(), seam.end()));
  for (VertexIndex v = 0; v < 8; ++v) CHECK(surface.on_border[surface.point_of[v]] == 1);
  CHECK(surface.on_border[surface.point_of[8]] == 0);
}

TEST_CASE("welded surface: a seam with different weights stays open") {
  Rig rig = two_quads();
  rig.influences[rig.first_influence[4]].joint = 1;
  CHECK(build_surface(rig).point_count() == 8);
}

TEST_CASE("welded surface: a closed tube has no border, and neighbours have nearby numbers") {
  const Rig rig = test::tube({.rings = 60, .segments = 10});
  const WeldedSurface surface = build_surface(rig);
  CHECK(std::count(surface.on_border.begin(), surface.on_border.end(), 1) == 0);
  PointIndex farthest = 0;
  for (PointIndex p = 0; p < surface.point_count(); ++p) {
    for (const PointIndex n : surface.neighbours_of(p)) {
      farthest = std::max(farthest, n > p ? n - p : p - n);
      const auto back = surface.neighbours_of(n);
      CHECK(std::binary_search(back.begin(), back.end(), p));
    }
  }
  CHECK(farthest <= 3 * 10);
}

}  // namespace skinbake
