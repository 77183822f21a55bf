#include "compare/surface/hausdorff.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "compare/surface/changed_rigs.h"
#include "compare/surface/closest_point.h"
#include "metrics/shapes.h"
#include "skinbake/error.h"
#include "support/frames.h"
#include "support/random.h"

namespace skinbake {
namespace {

using test::Surface;

HausdorffBounds distance_of(const Surface& a, const Surface& b, double tolerance) {
  return hausdorff_distance({a.points, a.triangles}, {b.points, b.triangles}, tolerance);
}

Surface moved(Surface surface, const Vec3<double>& by) {
  for (auto& p : surface.points) p = {p.x + by.x, p.y + by.y, p.z + by.z};
  return surface;
}

void check_encloses(const HausdorffBounds& bounds, double exact, double tolerance) {
  CHECK(bounds.lower <= exact + 1e-12);
  CHECK(bounds.upper >= exact - 1e-12);
  CHECK(bounds.upper - bounds.lower <= tolerance);
}

}  // namespace

TEST_CASE("hausdorff: a surface is at distance 0 from itself, in any order of its triangles") {
  const Surface cube = test::cube({0, 0, 0});
  Surface turned = cube;
  std::reverse(turned.triangles.begin(), turned.triangles.end());
  const HausdorffBounds bounds = distance_of(cube, turned, 1e-6);
  CHECK(bounds.lower < 1e-15);  // the centres of triangles are rounded
  CHECK(bounds.upper < 1e-15);
}

TEST_CASE("hausdorff: parallel sheets, and spheres about one centre, are their distance apart") {
  const Surface sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  check_encloses(distance_of(sheet, moved(sheet, {0, 0, 0.25}), 1e-9), 0.25, 1e-9);
  const test::Sphere small = test::sphere(1, 32), large = test::sphere(1.5, 32);
  const HausdorffBounds bounds = distance_of(small.surface, large.surface, 1e-3);
  CHECK(bounds.upper >= 0.5);
  CHECK(bounds.lower <= 0.5 + small.sagitta);
  CHECK(bounds.upper - bounds.lower <= 1e-3);
}

TEST_CASE("hausdorff: the farthest point may be inside a face") {
  // A square against its boundary, a thin frame: the centre is half a side from the frame.
  const Surface square{{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  const Surface frame{square.points, {{0, 1, 1}, {1, 2, 2}, {2, 3, 3}, {3, 0, 0}}};
  check_encloses(distance_of(square, frame, 1e-4), 1, 1e-4);
  check_encloses(distance_of(frame, square, 1e-4), 1, 1e-4);
}

TEST_CASE("hausdorff: the bounds of one shape in two triangulations are narrow") {
  // A roof over the unit square, whose sides are grids of triangles. No part of the one grid lies
  // in a triangle of the other.
  const auto roof = [](int along, int up) {
    Surface s;
    for (int i = 0; i <= along; ++i) {
      for (int k = 0; k <= 2 * up; ++k) {
        const double y = 0.5 * k / up;
        s.points.push_back({double(i) / along, y, 0.5 - std::abs(y - 0.5)});
      }
    }
    const auto at = [&](int i, int k) { return static_cast<VertexIndex>(i * (2 * up + 1) + k); };
    for (int i = 0; i < along; ++i) {
      for (int k = 0; k < 2 * up; ++k) {
        s.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
        s.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
      }
    }
    return s;
  };
  const Surface a = roof(3, 2), b = roof(7, 5);
  check_encloses(distance_of(a, b, 1e-7), 0, 1e-7);
  check_encloses(distance_of(a, moved(b, {0, 0, 1e-3}), 1e-6), 1e-3, 1e-6);
}

TEST_CASE("hausdorff: a triangle against a point is as far as its farthest corner") {
  const Surface triangle{{{0, 0, 0}, {3, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}};
  const Surface point{{{0, 0, 0}}, {{0, 0, 0}}};
  check_encloses(distance_of(triangle, point, 1e-9), 4, 1e-9);
}

TEST_CASE("hausdorff: bounds of random surfaces agree with dense points") {
  test::Random random(9);
  for (int round = 0; round < 20; ++round) {
    const auto soup = [&] {
      Surface s;
      for (VertexIndex t = 0; t < 6; ++t) {
        for (int i = 0; i < 3; ++i) s.points.push_back(random.vector(1));
        s.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
      }
      return s;
    };
    const Surface a = soup(), b = soup();
    double dense = 0;  // from below
    for (const auto& [of, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      for (const auto& t : of->triangles) {
        for (int i = 0; i <= 20; ++i) {
          for (int j = 0; i + j <= 20; ++j) {
            const double u = i / 20.0, v = j / 20.0, w = 1 - u - v;
            const auto &p = of->points[t[0]], &q = of->points[t[1]], &r = of->points[t[2]];
            const Vec3<double> at{u * p.x + v * q.x + w * r.x, u * p.y + v * q.y + w * r.y,
                                  u * p.z + v * q.z + w * r.z};
            double nearest = std::numeric_limits<double>::infinity();
            for (const auto& other : to->triangles) {
              nearest =
                  std::min(nearest, closest_point(at, {to->points[other[0]], to->points[other[1]],
                                                       to->points[other[2]]})
                                        .squared_distance);
            }
            dense = std::max(dense, std::sqrt(nearest));
          }
        }
      }
    }
    const HausdorffBounds bounds = distance_of(a, b, 1e-3);
    CHECK(bounds.upper >= dense - 1e-12);
    CHECK(bounds.lower <= dense + 0.1);  // the spacing of the points
    CHECK(bounds.upper - bounds.lower <= 1e-3 + 1e-12);
  }
}

TEST_CASE("hausdorff: frames do not depend on the number of threads, and NaN is refused") {
  const test::Sphere small = test::sphere(1, 16), large = test::sphere(1.1, 20);
  BindSurface a, b;
  for (const auto& [surface, sphere] : {std::pair(&a, &small), std::pair(&b, &large)}) {
    surface->positions = sphere->surface.points;
    surface->triangles = sphere->surface.triangles;
  }
  const auto frames_of = [](const Surface& surface) {
    std::vector<float> rows;
    for (int f = 0; f < 9; ++f) {
      for (const auto& p : surface.points) {
        for (const double x : {p.x, p.y * (1 + f), p.z}) rows.push_back(static_cast<float>(x));
      }
    }
    return test::MemoryFrames(static_cast<std::int64_t>(surface.points.size()), rows);
  };
  test::MemoryFrames fa = frames_of(small.surface), fb = frames_of(large.surface);
  HausdorffPlan plan{&a, &b, &fa, &fb, 9, 1e-3, 1};
  const auto one = hausdorff_distances(plan);
  CHECK(one[8].lower > one[0].lower);
  for (const int threads : {2, 7}) {
    plan.threads = threads;
    const auto other = hausdorff_distances(plan);
    for (std::size_t f = 0; f < 9; ++f) {
      CHECK(one[f].lower == other[f].lower);
      CHECK(one[f].upper == other[f].upper);
    }
  }
  fb.at(4, 7, 1) = NAN;
  CHECK_THROWS_AS(hausdorff_distances(plan), Error);
}

}  // namespace skinbake
