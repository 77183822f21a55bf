#include "metrics/volume/volume_sums.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>

#include "base/aligned_array.h"
#include "support/targets.h"

namespace skinbake {
namespace {

constexpr VertexIndex kVertices = 9000;  // 36 tiles, the last one shorter
constexpr std::size_t kNumbers = std::size_t{kVertices} * 3 * kFramesPerBlock;

using Edge = std::array<VertexIndex, 2>;

// A block of random positions, and patches and caps whose vertices are from 0 to `reach` apart.
struct TestBlock {
  AlignedArray<float> positions{kNumbers};
  VolumeTasks tasks;
  std::vector<std::vector<Edge>> loops;  // of the caps

  TestBlock(unsigned seed, VertexIndex reach) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> coordinate(-1, 1);
    for (std::size_t i = 0; i < kNumbers; ++i) positions[i] = coordinate(random);
    std::uniform_int_distribution<VertexIndex> step(0, reach);
    const auto near = [&](VertexIndex v) { return std::min(v + step(random), kVertices - 1); };
    for (VertexIndex p = 0; p < 5; ++p) {
      PatchTask& patch = tasks.patches.emplace_back();
      for (VertexIndex v = p; v < kVertices; v += 5) {
        patch.pairs.push_back({v, near(v), near(v), near(v)});
      }
    }
    tasks.patches.push_back({});
    for (VertexIndex v = 0; v < kVertices; v += 500) loops.push_back(loop(v, near(v), near(v)));
    for (const std::vector<Edge>& edges : loops) {
      const VertexIndex last = std::max({edges[0][0], edges[1][0], edges[2][0]});
      tasks.caps.push_back({CapEdges{edges, 0}, last, 0});
    }
  }

  static std::vector<Edge> loop(VertexIndex a, VertexIndex b, VertexIndex c) {
    return {{a, b}, {b, c}, {c, a}};
  }

  FrameBlock tile(VertexIndex first) const {
    FrameBlock tile;
    tile.frame_count = kFramesPerBlock;
    tile.vertices = {first, std::min(kVerticesPerTile, kVertices - first)};
    tile.positions = positions.data() + std::size_t{first} * 3 * kFramesPerBlock;
    return tile;
  }
};

std::vector<VertexIndex> tile_starts() {
  std::vector<VertexIndex> starts;
  for (VertexIndex v = 0; v < kVertices; v += kVerticesPerTile) starts.push_back(v);
  return starts;
}

using Sums = std::vector<LaneVolumes>;  // of the patches, then of the caps

Sums sums_after(VolumeSums& sums, const TestBlock& block, const std::vector<VertexIndex>& starts) {
  for (const VertexIndex first : starts) sums.add_tile(block.tile(first), block.tasks);
  sums.finish(block.positions.data(), block.tasks);
  Sums all(sums.patches().begin(), sums.patches().end());
  all.insert(all.end(), sums.caps().begin(), sums.caps().end());
  return all;
}

bool are_same_bits(const Sums& a, const Sums& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

double six_volume(const TestBlock& block, const PatchTask& patch, std::size_t frame) {
  const auto point = [&](VertexIndex v, std::size_t axis) {
    const float* const p = block.positions.data() + std::size_t{v} * 3 * kFramesPerBlock;
    return double{p[axis * kFramesPerBlock + frame]};
  };
  double sum = 0;
  for (const auto& [a, b, c, d] : patch.pairs) {
    double u[3], v[3], w[3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      u[axis] = point(a, axis) - point(d, axis);
      v[axis] = point(b, axis) - point(patch.origin, axis);
      w[axis] = point(c, axis) - point(patch.origin, axis);
    }
    sum += u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
  }
  return sum;
}

}  // namespace

TEST_CASE("volume sums: are six times the volumes of the patches and caps") {
  const TestBlock block(1, 300);
  VolumeSums sums(kVertices);
  const Sums found = sums_after(sums, block, tile_starts());
  const std::vector<PatchTask>& patches = block.tasks.patches;
  REQUIRE(found.size() == patches.size() + block.loops.size());
  for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
    for (std::size_t p = 0; p < patches.size(); ++p) {
      // 1800 terms of size 1, each rounded to 1e-16.
      CHECK(std::abs(found[p][frame] - six_volume(block, patches[p], frame)) < 1e-12);
    }
    for (std::size_t c = 0; c < block.loops.size(); ++c) {
      // A cap of three edges is their triangle, which closes the other side.
      const std::vector<Edge>& edges = block.loops[c];
      const PatchTask triangle{{{edges[1][0], edges[0][0], edges[2][0], 0}}, 0, {}};
      CHECK(std::abs(found[patches.size() + c][frame] - six_volume(block, triangle, frame)) <
            1e-12);
    }
  }
}

TEST_CASE("volume sums: have the same bits for any order of tiles, and if no tile came before") {
  std::mt19937 random(2);
  for (const VertexIndex reach : {0u, 300u, kVertices}) {
    const TestBlock block(3, reach), next(4, reach);
    test::for_each_simd_target([&](const std::string&) {
      VolumeSums sums(kVertices);  // reused: nothing of the previous block may remain
      const Sums at_once = sums_after(sums, block, {}), next_at_once = sums_after(sums, next, {});
      std::vector<VertexIndex> starts = tile_starts();
      for (int order = 0; order < 4; ++order) {
        CHECK(are_same_bits(sums_after(sums, block, starts), at_once));
        std::shuffle(starts.begin(), starts.end(), random);
        CHECK(are_same_bits(sums_after(sums, next, starts), next_at_once));
      }
      starts.resize(starts.size() / 2);
      CHECK(are_same_bits(sums_after(sums, block, starts), at_once));
    });
  }
}

TEST_CASE("volume sums: have the same bits if several threads add the tiles") {
  const TestBlock block(5, 300);
  VolumeSums sums(kVertices);
  const Sums at_once = sums_after(sums, block, {});
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        const std::vector<VertexIndex> starts = tile_starts();
        for (std::size_t i = t; i < starts.size(); i += 3) {
          sums.add_tile(block.tile(starts[i]), block.tasks);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(are_same_bits(sums_after(sums, block, {}), at_once));
  }
}

}  // namespace skinbake
