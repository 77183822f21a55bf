// Needles, and thousands of triangles at one place: points and searched triangles are counted.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "compare/surface/closest_partner.h"
#include "compare/surface/matched_pair.h"
#include "metrics/shapes.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::Pair;
using test::surfaces_of;

// A disc around the origin, of needles that share their centre; `own`: each has its own vertices.
// The centre is `height` above the rim.
test::Surface fan(int count, double height, double turn, bool own) {
  test::Surface s;
  const auto rim = [&](int i) {
    const double a = 2 * std::numbers::pi * i / count + turn;
    return Vec3<double>{std::cos(a), 0, std::sin(a)};
  };
  if (!own) s.points.push_back({0, height, 0});
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<VertexIndex>(s.points.size());
    if (own) {
      s.points.insert(s.points.end(), {{0, height, 0}, rim(i + 1), rim(i)});
      s.triangles.push_back({first, first + 1, first + 2});
    } else {
      s.points.push_back(rim(i));
      s.triangles.push_back({0, static_cast<VertexIndex>(1 + (i + 1) % count), first});
    }
  }
  return s;
}

// A tube of one ring of needles, of radius 1 and length 2.
test::Surface needle_tube(int count, double radius, double turn) {
  test::Surface s;
  for (int i = 0; i < count; ++i) {
    const double a = 2 * std::numbers::pi * i / count + turn;
    for (const double y : {-1.0, 1.0}) {
      s.points.push_back({radius * std::cos(a), y, radius * std::sin(a)});
    }
    const auto at = [&](int k) { return static_cast<VertexIndex>(k % (2 * count)); };
    s.triangles.push_back({at(2 * i), at(2 * i + 1), at(2 * i + 3)});
    s.triangles.push_back({at(2 * i), at(2 * i + 3), at(2 * i + 2)});
  }
  return s;
}

// The same triangle many times, each with its own vertices.
test::Surface pile(int count, double height) {
  test::Surface s;
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<VertexIndex>(s.points.size());
    s.points.insert(s.points.end(), {{0, height, 0}, {0, height, 1}, {1, height, 0}});
    s.triangles.push_back({first, first + 1, first + 2});
  }
  return s;
}

struct Work {
  double farthest = 0;       // metres
  std::uint64_t points = 0;  // inside edges and triangles
  std::uint64_t visits = 0;  // of the nearest and of the partners
};

// Searches all points of a surface on the other, as match_surfaces does it without a noise.
Work work_of(const test::Surface& a, const test::Surface& b, double spacing) {
  const BindSurfaces surfaces = surfaces_of(test::rigid(a), test::rigid(b));
  const PartnerSearch search(surfaces.b);
  PartnerSearch::Scratch scratch(search);
  const PointNormals normals(surfaces.a);
  const auto points = sample_surface(surfaces.a, spacing);
  Work work{0, points.size() - surfaces.a.vertex_count(), 0};
  for (std::size_t i = surfaces.a.vertex_count(); i < points.size(); ++i) {
    const Vec3<double> p = surfaces.a.position(points[i]);
    const double d = search.distance_of(p);
    const auto partner =
        search.partner_of(surfaces.a, points[i], normals.of(points[i]), {d, d + 1e-6}, scratch);
    work.farthest = std::max(work.farthest, test::distance(p, surfaces.b.position(partner.point)));
  }
  work.visits = search.visits();
  return work;
}

}  // namespace

TEST_CASE("surfaces: the points inside a fan follow its area, however many needles it has") {
  constexpr double kSpacing = 0.05;
  // Circles of the radii of the points, in cells of an eighth of the spacing: their lengths, with
  // at most three cells for each length of a cell.
  const double most = 3 * std::numbers::pi / kSpacing / (kSpacing / 8);
  for (const int count : {1'000, 10'000, 40'000}) {
    for (const bool own : {false, true}) {
      const BindSurfaces surfaces =
          surfaces_of(test::rigid(fan(count, 0, 0, own)), test::rigid(fan(3, 0, 0, own)));
      const std::size_t points = sample_surface(surfaces.a, kSpacing).size();
      CHECK(points > surfaces.a.vertex_count() + 500);
      CHECK(points - surfaces.a.vertex_count() < most);
    }
  }
}

TEST_CASE("surfaces: no place of a fan is farther than the spacing from a point") {
  constexpr double kSpacing = 0.1;
  const BindSurfaces surfaces =
      surfaces_of(test::rigid(fan(3'000, 0, 0, false)), test::rigid(fan(3, 0, 0, false)));
  const auto points = sample_surface(surfaces.a, kSpacing);
  for (double r = 0.02; r < 1; r += 0.09) {
    for (double a = 0; a < 6; a += 0.31) {
      const Vec3<double> place{r * std::cos(a), 0, r * std::sin(a)};
      double nearest = 1;
      for (std::size_t i = surfaces.a.vertex_count(); i < points.size(); ++i) {
        nearest = std::min(nearest, test::distance(place, surfaces.a.position(points[i])));
      }
      CHECK(nearest <= kSpacing);
    }
  }
}

TEST_CASE("surfaces: the triangles that a search of needles visits follow their number") {
  for (const bool own : {false, true}) {
    // A point of a flat fan is below the other by its height times the distance from the rim.
    const auto of = [&](int count) {
      return work_of(fan(count, 0, 0, own), fan(count, 0.01, 1.0 / count, own), 0.1);
    };
    const Work few = of(1'000), many = of(8'000);
    CHECK(many.farthest == doctest::Approx(0.009).epsilon(0.01));
    CHECK(few.visits < 100 * few.points);
    CHECK(many.visits < 100 * many.points);
  }
  const auto tube = [](int count) {
    return work_of(needle_tube(count, 1, 0), needle_tube(count, 1.02, 0.5 / count), 0.1);
  };
  const Work many = tube(4'000);
  CHECK(many.farthest == doctest::Approx(0.02).epsilon(1e-3));
  CHECK(many.visits < 100 * many.points);
}

TEST_CASE("surfaces: triangles at one place are sampled once, and end a search that finds one") {
  const Work one = work_of(pile(1, 0), pile(1, 0.01), 0.1);
  const Work many = work_of(pile(10'000, 0), pile(10'000, 0.01), 0.1);
  CHECK(one.points > 20);
  CHECK(many.points == one.points);
  CHECK(many.farthest == doctest::Approx(0.01).epsilon(1e-5));
  CHECK(many.visits < 20 * many.points);
}

TEST_CASE("surfaces: thousands of vertices at one place end well below the limit of distances") {
  for (const double height : {0.0, 0.01}) {
    const Pair pair(test::rigid(fan(4'000, 0, 0, true)),
                    test::rigid(fan(4'000, height, 1e-4, true)), Match::kSurface,
                    {.sampling = 0.05, .most_distances = 4'000'000});
    CHECK(pair.at_rest() == doctest::Approx(height).epsilon(1e-4));
  }
}

}  // namespace skinbake
