#include "compare/surface/closest_point.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/scalar.h"
#include "metrics/shape/triangle_tree.h"
#include "support/near.h"
#include "support/random.h"

namespace skinbake {
namespace {

using Corners = std::array<Vec3<double>, 3>;

Vec3<double> point_at(const Corners& t, const std::array<double, 3>& w) {
  return {w[0] * t[0].x + w[1] * t[1].x + w[2] * t[2].x,
          w[0] * t[0].y + w[1] * t[1].y + w[2] * t[2].y,
          w[0] * t[0].z + w[1] * t[1].z + w[2] * t[2].z};
}

// The least distance to the points of a grid on the triangle.
double grid_distance(const Vec3<double>& p, const Corners& t, int parts) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= parts; ++i) {
    for (int j = 0; i + j <= parts; ++j) {
      const double a = double(i) / parts, b = double(j) / parts;
      least = std::min(least, test::distance(p, point_at(t, {a, b, 1 - a - b})));
    }
  }
  return least;
}

const Corners kRight{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};

}  // namespace

TEST_CASE("closest point: corners, sides and the inside of a triangle") {
  CHECK(closest_point({-1, -1, 3}, kRight).weights == std::array{1.0, 0.0, 0.0});
  CHECK(closest_point({2, -1, 0}, kRight).weights == std::array{0.0, 1.0, 0.0});
  CHECK(closest_point({-1, 2, 0}, kRight).weights == std::array{0.0, 0.0, 1.0});
  CHECK(closest_point({0.25, -1, 0}, kRight).weights == std::array{0.75, 0.25, 0.0});
  CHECK(closest_point({1, 1, 0}, kRight).weights == std::array{0.0, 0.5, 0.5});
  CHECK(closest_point({0.25, 0.25, 2}, kRight).weights == std::array{0.5, 0.25, 0.25});
  CHECK(closest_point({0.25, 0.25, 2}, kRight).squared_distance == 4);
}

TEST_CASE("closest point: triangles without an area are lines or points") {
  const Vec3<double> p{0.5, 1, 0}, a{0, 0, 0}, b{1, 0, 0}, middle{0.5, 0, 0};
  for (const Corners& line : {Corners{a, b, middle}, Corners{a, b, b}, Corners{a, a, b},
                              Corners{b, middle, a}, Corners{a, b, a}}) {
    CHECK(closest_point(p, line).squared_distance == 1);
  }
  CHECK(closest_point(p, {a, a, a}).squared_distance == 1.25);
}

TEST_CASE("closest point: random triangles agree with a grid of points") {
  test::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Corners t{random.vector(1), random.vector(1), random.vector(1)};
    const Vec3<double> p = random.vector(2);
    const ClosestPoint closest = closest_point(p, t);
    const double distance = std::sqrt(closest.squared_distance);
    CHECK(test::distance(p, point_at(t, closest.weights)) == doctest::Approx(distance));
    const double grid = grid_distance(p, t, 60);
    CHECK(distance <= grid + 1e-12);
    CHECK(distance >= grid - 3.5 / 60);
  }
}

TEST_CASE("closest point: snapped weights sum to 1, and corners are vertices") {
  test::Random random(7);
  for (int i = 0; i < 1000; ++i) {
    const double a = random.between(0, 1), b = random.between(0, 1 - a);
    const SurfacePoint point = snapped({4, 5, 6}, {a, b, 1 - a - b});
    CHECK(double{point.weights[0]} + point.weights[1] + point.weights[2] == 1);
    CHECK(std::abs(point.weights[0] - a) <= std::ldexp(1, -25));
  }
  CHECK(snapped({4, 5, 6}, {0, 1, 0}).corners == std::array<VertexIndex, 3>{5, 5, 5});
  CHECK(snapped({4, 5, 6}, {1e-12, 1e-12, 1 - 2e-12}).is_vertex());
  CHECK(snapped({4, 5, 6}, {-1e-17, 1 + 1e-16, 0}).is_vertex());
}

// Small triangles at random places, without common corners.
struct Soup {
  explicit Soup(test::Random& random) {
    for (VertexIndex t = 0; t < 500; ++t) {
      const Vec3<double> at = random.vector(1);
      for (int corner = 0; corner < 3; ++corner) {
        const Vec3<double> d = random.vector(0.1);
        points.push_back({at.x + d.x, at.y + d.y, at.z + d.z});
      }
      triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
  }

  std::vector<Vec3<double>> points;
  std::vector<Triangle> triangles;
};

TEST_CASE("triangle tree: the triangles of boxes that meet a plane include all that it cuts") {
  test::Random random(12);
  const Soup soup(random);
  const TriangleTree tree(soup.triangles, {}, soup.points);
  std::vector<TriangleBox> boxes;
  tree.fit(soup.points, boxes);
  for (int i = 0; i < 20; ++i) {
    const double x = random.vector(0.8).x;
    std::vector<int> visits(soup.triangles.size(), 0);
    tree.visit_meeting(
        boxes, [&](const TriangleBox& box) { return box.low.x <= x && x <= box.high.x; },
        [&](std::uint32_t t) { ++visits[t]; });
    std::size_t visited = 0;
    for (std::uint32_t t = 0; t < visits.size(); ++t) {
      const auto [low, high] =
          std::minmax({soup.points[3 * t].x, soup.points[3 * t + 1].x, soup.points[3 * t + 2].x});
      if (low <= x && x <= high) CHECK(visits[t] == 1);
      CHECK(visits[t] <= 1);
      visited += visits[t] > 0;
    }
    CHECK(visited < visits.size() / 2);
  }
}

TEST_CASE_TEMPLATE("triangle tree: the triangles near a point include the nearest", Box,
                   TriangleBox, OrientedBox) {
  test::Random random(11);
  const Soup soup(random);
  const std::vector<Vec3<double>>& points = soup.points;
  const std::vector<Triangle>& triangles = soup.triangles;
  const TriangleTree tree(triangles, {}, points);
  std::vector<Box> boxes;
  tree.fit(points, boxes);
  const auto squared = [&](std::uint32_t t, const Vec3<double>& p) {
    return closest_point(p, {points[3 * t], points[3 * t + 1], points[3 * t + 2]}).squared_distance;
  };
  for (int i = 0; i < 200; ++i) {
    const Vec3<double> p = random.vector(1.5);
    double exact = std::numeric_limits<double>::infinity(), found = exact;
    for (std::uint32_t t = 0; t < 500; ++t) exact = std::min(exact, squared(t, p));
    tree.visit_near(p, boxes, found,
                    [&](std::uint32_t t) { found = std::min(found, squared(t, p)); });
    CHECK(found == exact);
  }
}

TEST_CASE(
    "triangle tree: oriented boxes contain their triangles, which fill them if they are flat") {
  test::Random random(13);
  for (const double height : {0.0, 1e-9, 1e-3, 1.0}) {
    for (int i = 0; i < 50; ++i) {
      // A triangle with a long edge in any direction, far from the origin; then a point, or a line.
      const Vec3<double> centre = random.vector(10), edge = random.vector(2);
      const std::vector<Vec3<double>> points{centre, centre + edge,
                                             centre + height * random.vector(1)};
      const std::vector<Triangle> triangles{{0, 1, 2}, {0, 1, 1}, {2, 2, 2}};
      const TriangleTree tree(triangles, {}, points);
      std::vector<OrientedBox> boxes;
      tree.fit(points, boxes);
      for (const Vec3<double>& p : points) CHECK(boxes[0].squared_distance(p) == 0);
      CHECK(*std::min_element(boxes[0].half.begin(), boxes[0].half.end()) < 1e-10);
    }
  }
}

TEST_CASE("triangle tree: axes are at right angles, also if the areas of closed surfaces cancel") {
  test::Random random(14);
  for (int i = 0; i < 300; ++i) {
    // Tetrahedra, the sum of whose areas is what rounding leaves of it.
    std::vector<Vec3<double>> points;
    std::vector<Triangle> triangles;
    for (std::uint32_t v = 0; v < 20; v += 4) {
      for (int corner = 0; corner < 4; ++corner) points.push_back(random.vector(3));
      triangles.insert(
          triangles.end(),
          {{v, v + 1, v + 2}, {v, v + 2, v + 3}, {v, v + 3, v + 1}, {v + 1, v + 3, v + 2}});
    }
    const TriangleTree tree(triangles, {}, points);
    std::vector<OrientedBox> boxes;
    tree.fit(points, boxes);
    for (const OrientedBox& box : boxes) {
      for (std::size_t a = 0; a < 3; ++a) {
        CHECK(norm(box.axes[a]) == doctest::Approx(1).epsilon(1e-12));
        CHECK(std::abs(dot(box.axes[a], box.axes[(a + 1) % 3])) < 1e-12);
      }
    }
    for (const Vec3<double>& p : points) CHECK(boxes[0].squared_distance(p) == 0);
  }
}

}  // namespace skinbake
