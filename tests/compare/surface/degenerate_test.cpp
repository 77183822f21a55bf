#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "compare/surface/closest_partner.h"
#include "compare/surface/matched_pair.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::bent_tube;
using test::message_of;
using test::Pair;
using test::surfaces_of;

}  // namespace

TEST_CASE("surfaces: surfaces without triangles or without extent cannot be compared") {
  const Rig rig = bent_tube();
  Rig bare = rig;
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->triangles.clear();
  mesh->positions[0] += 1;
  bare.mesh = mesh;
  CHECK(message_of(surfaces_of(rig, bare), Match::kSurface).find("no triangles") !=
        std::string::npos);
  CHECK(message_of(surfaces_of(bare, rig), Match::kAuto).find("no triangles") != std::string::npos);
  const Rig point = test::rigid({test::Points(3, {1, 2, 3}), {{0, 1, 2}}});
  for (const Match match : {Match::kOrder, Match::kSurface, Match::kAuto}) {
    CHECK(message_of(surfaces_of(point, point), match).find("one point") != std::string::npos);
  }
  const Rig far = test::rigid(test::cube({5, 0, 0}));
  CHECK(message_of(surfaces_of(test::rigid(test::cube({0, 0, 0})), far), Match::kSurface)
            .find("of the diagonal apart") != std::string::npos);
}

TEST_CASE("surfaces: vertices that no triangle has are not on a surface") {
  // Optimisers remove them.
  test::Surface loose = test::cube({0, 0, 0});
  loose.points.insert(loose.points.begin(), {5, 5, 5});
  loose.points.push_back({-5, 0, 0});
  for (auto& t : loose.triangles) {
    for (VertexIndex& v : t) ++v;
  }
  const Pair pair(test::rigid(loose), test::rigid(test::cube({0, 0, 0})), Match::kSurface);
  CHECK(pair.at_rest() == 0);
  CHECK(pair.matched.a_to_b.points[1].corners[0] == 1);
  CHECK(pair.matched.a_to_b.points[9].corners[0] == 8);
}

TEST_CASE("surfaces: single triangles and triangles without an area are surfaces") {
  const Rig one = test::rigid({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  const Rig line = test::rigid({{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}, {{0, 1, 2}, {1, 1, 0}}});
  CHECK(Pair(one, one, Match::kSurface).at_rest() == 0);
  CHECK(Pair(line, line, Match::kSurface).at_rest() < 1e-7);
  CHECK_THROWS_AS(Pair(one, line, Match::kSurface), Error);  // 14 % of the diagonal apart
}

TEST_CASE("surfaces: a triangle without an area does not hide a surface at its place") {
  // A strip that its joint bends, and B, which lost the weights of all triangles but of one without
  // an area, along the edge of the strip.
  test::Surface strip{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}, {1, 0, 1}, {2, 0, 1}},
                      {{0, 3, 1}, {1, 3, 4}, {1, 4, 2}, {2, 4, 5}}};
  test::Weights weights;
  for (const auto& p : strip.points) weights.push_back({{p.x > 1 ? 1u : 0u, 1.0}});
  test::Surface stiff = strip;
  test::Weights lost(6, {{0, 1.0}});
  for (const std::size_t v : {0u, 1u, 2u}) {
    for (const double rounding : {0.0, 1e-7}) {
      stiff.points.push_back(strip.points[v]);
      stiff.points.back().z += v == 1 ? rounding : 0;
      lost.push_back(weights[v]);
    }
  }
  stiff.triangles.insert(stiff.triangles.begin(), {{6, 8, 10}, {7, 9, 11}, {6, 8, 6}});
  const Pair pair(test::chained(strip, 2, weights), test::chained(stiff, 2, lost), Match::kSurface);
  CHECK(pair.at_rest() < 1e-7);
  for (const SurfacePoint& partner : pair.matched.a_to_b.partners) {
    CHECK(*std::max_element(partner.corners.begin(), partner.corners.end()) < 6);
  }
}

TEST_CASE("surfaces: an edge takes its direction from a triangle with an area") {
  // The first triangle of the long edge has none.
  const Rig rig = test::rigid(
      {{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {0, 0, 1}, {2, 0, 0}}, {{0, 1, 2}, {0, 3, 1}}});
  const BindSurfaces surfaces = surfaces_of(rig, rig);
  std::size_t on_edge = 0;
  for (const SurfacePoint& point : sample_surface(surfaces.a, 0.2)) {
    const bool is_on_edge =
        !point.is_vertex() && point.weights[2] == 0 && point.corners[0] + point.corners[1] == 1;
    if (!is_on_edge) continue;
    ++on_edge;
    CHECK(point.corners[2] == 3);
  }
  CHECK(on_edge > 3);
}

}  // namespace skinbake
