#include "rig/surface/weld.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>

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

// Points whose multiplicative hashes, with the factor of the golden ratio, are equal.
std::vector<float> points_of_one_hash(std::size_t count) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15u;
  constexpr std::uint64_t kInverse = 0xF1DE83E19937733Du;
  static_assert(kFactor * kInverse == 1);
  constexpr std::uint64_t kLow = 0xFFFFFFFF, kLast = 0x12345678;
  std::map<std::uint64_t, std::vector<std::uint64_t>> lows;
  for (std::uint64_t low = 0; low < 512; ++low) {
    const std::uint64_t before = ((kLast << 9 | low) * kInverse) & ((std::uint64_t{1} << 41) - 1);
    lows[before >> 32].push_back(before & kLow);
  }
  std::vector<float> points;
  const auto is_usual = [](std::uint64_t bits) {
    const std::uint64_t exponent = bits >> 23 & 255;
    return 60 < exponent && exponent < 140;
  };
  for (std::uint64_t x = 0x3f000001; points.size() < 3 * count; ++x) {
    const std::uint64_t state = std::rotl(x * kFactor, 23);
    for (const std::uint64_t low : lows[state >> 32 & 511]) {
      const std::uint64_t y = (state & kLow) ^ low;
      const std::uint64_t z = (std::rotl((state ^ y) * kFactor, 23) & kLow) ^ 0x3f123456;
      if (!is_usual(y) || !is_usual(z)) continue;
      for (const std::uint64_t bits : {x, y, z}) {
        points.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      }
    }
  }
  points.resize(3 * count);
  return points;
}

}  // namespace

TEST_CASE("welded surface: points of one hash are welded as others are, by sorting") {
  constexpr std::size_t kCount = 60000;
  std::vector<float> points = points_of_one_hash(kCount);
  for (std::size_t v = kCount; v-- > 0;) {
    for (std::size_t axis = 0; axis < 3; ++axis) points.push_back(points[3 * v + axis]);
  }
  Rig rig = test::loose(std::vector<Vec3<double>>(2 * kCount), std::vector<Node>(2),
                        std::vector<std::vector<Influence>>(2 * kCount, {{0, 1}}));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->positions = points;
  rig.mesh = mesh;
  const Weld weld = weld_vertices(rig, WeldBy::kFile);
  CHECK(weld.count == kCount);
  std::size_t wrong = 0;
  for (std::size_t v = 0; v < kCount; ++v) {
    wrong += weld.welded[v] != v;
    wrong += weld.welded[2 * kCount - 1 - v] != v;
  }
  CHECK(wrong == 0);
}

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
