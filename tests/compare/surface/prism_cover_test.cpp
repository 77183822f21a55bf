#include "compare/surface/hausdorff.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "compare/surface/closest_point.h"
#include "support/random.h"

namespace skinbake {
namespace {

using Corners = PrismCover::Corners;

constexpr double kNone = std::numeric_limits<double>::infinity();

// The squares of a grid over [0, size]^2, two triangles each, at a height.
std::vector<Corners> sheet(int count, double size, double height) {
  std::vector<Corners> triangles;
  const double step = size / count;
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < count; ++k) {
      const double x = i * step, y = k * step;
      const Vec3<double> a{x, y, height}, b{x + step, y, height}, c{x + step, y + step, height},
          d{x, y + step, height};
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  }
  return triangles;
}

const Corners kPart{{{0.1, 0.2, 0}, {0.9, 0.3, 0}, {0.4, 0.8, 0}}};

}  // namespace

TEST_CASE("prism cover: triangles of a parallel sheet cover a part at their height") {
  PrismCover cover;
  for (const int count : {1, 2, 3, 5}) {
    CHECK(std::abs(cover.bound(kPart, sheet(count, 1, 0.125), 0.2, 1e-9) - 0.125) < 1e-12);
    CHECK(cover.bound(kPart, sheet(count, 1, 0), 0.2, 1e-12) < 1e-11);
    CHECK(cover.bound(kPart, sheet(count, 1, 0.125), 0.12, 1e-9) == kNone);
  }
}

TEST_CASE("prism cover: a hole, a sheet that ends, and upright triangles do not cover a part") {
  PrismCover cover;
  std::vector<Corners> holed = sheet(4, 1, 0);
  holed.erase(holed.begin() + 2 * (4 + 1));  // a triangle of the square from 0.25 to 0.5
  CHECK(cover.bound(kPart, holed, 0.01, 1e-9) == kNone);
  CHECK(cover.bound(kPart, holed, 0.2, 1e-9) == kNone);  // no prism is over the hole
  CHECK(cover.bound(kPart, sheet(4, 0.7, 0), 0.01, 1e-9) == kNone);
  const std::vector<Corners> upright{{{{0, 0, -9}, {1, 1, -9}, {0.5, 0.5, 9}}}};
  CHECK(cover.bound(kPart, upright, 9, 1e-9) == kNone);
  CHECK(cover.bound(kPart, {}, 9, 1e-9) == kNone);
  const Corners line{{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}};
  CHECK(cover.bound(line, sheet(2, 1, 0), 9, 1e-9) == kNone);
}

TEST_CASE("prism cover: the bound is not below the distance of any point of the part") {
  test::Random random(21);
  PrismCover cover;
  int covered = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Corners> bumpy = sheet(3, 1, 0);
    for (Corners& triangle : bumpy) {
      // A height that depends on the place, so that neighbours stay together.
      for (Vec3<double>& p : triangle) p.z = 0.05 * std::sin(7 * p.x + round) * std::cos(5 * p.y);
    }
    Corners part = kPart;
    for (Vec3<double>& p : part) p = p + 0.05 * random.vector(1);
    const double bound = cover.bound(part, bumpy, 0.1, 1e-6);
    covered += bound < kNone;
    for (int i = 0; i <= 12; ++i) {
      for (int j = 0; i + j <= 12; ++j) {
        const double u = i / 12.0, v = j / 12.0;
        const Vec3<double> p = u * part[0] + v * part[1] + (1 - u - v) * part[2];
        double nearest = kNone;
        for (const Corners& triangle : bumpy) {
          nearest = std::min(nearest, closest_point(p, triangle).squared_distance);
        }
        REQUIRE(std::sqrt(nearest) <= bound + 1e-12);
      }
    }
  }
  CHECK(covered > 100);
}

}  // namespace skinbake
