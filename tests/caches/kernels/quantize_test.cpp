#include "caches/kernels/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "base/aligned_array.h"
#include "support/random.h"
#include "support/targets.h"

namespace skinbake {
namespace {

constexpr std::size_t kNumbers = 3 * kFramesPerBlock;  // of one vertex

AlignedArray<float> random_lanes(std::size_t vertices) {
  test::Random random(7);
  AlignedArray<float> lanes(vertices * kNumbers);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i] = static_cast<float>(random.between(-2, 2));
  }
  return lanes;
}

struct Stored {
  std::vector<std::int16_t> rows;
  QuantizedRange range;
};

Stored stored(QuantizeTask task) {
  Stored result;
  task.row_stride = task.vertices * kShortsPerPosition + 5;
  result.rows.assign(task.row_stride * kFramesPerBlock, 99);
  task.rows = result.rows.data();
  store_quantized(task, result.range);
  return result;
}

}  // namespace

TEST_CASE("quantize: a position is rounded, halves away from zero; its displacement is clamped") {
  AlignedArray<float> lanes(kNumbers);
  std::fill_n(lanes.data(), lanes.size(), 0.0F);
  lanes[0] = 3.5, lanes[1] = 1.5, lanes[2] = 3.25, lanes[3] = 100, lanes[4] = -100;
  const std::vector<std::int32_t> base{1, 0, -2};
  QuantizeTask task;
  task.lanes = lanes.data();
  task.vertices = 1;
  task.centre = {2.5, 0, 0};
  task.steps_per_metre = 0.5;
  task.base = base.data();
  task.largest = 40;
  test::for_each_simd_target([&](const std::string&) {
    const Stored s = stored(task);
    const auto row = [&](std::size_t frame) {
      const auto at = s.rows.begin() + static_cast<std::ptrdiff_t>(frame * 9);
      return std::vector<std::int16_t>(at, at + 5);
    };
    CHECK(row(0) == std::vector<std::int16_t>{0, 0, 2, 0, 99});   // 0.5 is 1
    CHECK(row(1) == std::vector<std::int16_t>{-2, 0, 2, 0, 99});  // -0.5 is -1
    CHECK(row(2) == std::vector<std::int16_t>{-1, 0, 2, 0, 99});  // 0.375 is 0
    CHECK(row(3) == std::vector<std::int16_t>{40, 0, 2, 0, 99});
    CHECK(row(4) == std::vector<std::int16_t>{-40, 0, 2, 0, 99});
    CHECK(s.range.least[0][4] == -40);
    CHECK(s.range.most[0][4] == -40);
    CHECK(s.range.least[2][0] == 2);
  });
}

TEST_CASE("quantize: every instruction set stores the same integers and finds the same range") {
  constexpr std::size_t kVertices = 37;
  const AlignedArray<float> lanes = random_lanes(kVertices);
  std::vector<std::int32_t> base(kVertices * 3);
  for (std::size_t i = 0; i < base.size(); ++i) base[i] = static_cast<std::int32_t>(i * 31);
  QuantizeTask task;
  task.lanes = lanes.data();
  task.vertices = kVertices;
  task.centre = {0.25, -0.5, 1};
  task.steps_per_metre = 12345.678;
  task.base = base.data();
  const Stored expected = stored(task);
  for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
    std::int32_t least = 32767, most = -32767;
    for (std::size_t v = 0; v < kVertices; ++v) {
      const std::int32_t y = expected.rows[frame * (kVertices * 4 + 5) + 4 * v + 1];
      least = std::min(least, y);
      most = std::max(most, y);
    }
    CHECK(expected.range.least[1][frame] == least);
    CHECK(expected.range.most[1][frame] == most);
  }
  test::for_each_simd_target([&](const std::string&) {
    const Stored s = stored(task);
    CHECK(s.rows == expected.rows);
    CHECK(s.range.least == expected.range.least);
    CHECK(s.range.most == expected.range.most);
  });
}

TEST_CASE("lane range: it is the smallest range that contains every frame") {
  constexpr std::size_t kVertices = 5;
  const AlignedArray<float> lanes = random_lanes(kVertices);
  test::for_each_simd_target([&](const std::string&) {
    std::vector<float> low(3 * kVertices, -1.5F), high(3 * kVertices, -1.5F);
    widen_by_lanes(lanes.data(), low.size(), low.data(), high.data());
    for (std::size_t i = 0; i < low.size(); ++i) {
      const float* x = lanes.data() + i * kFramesPerBlock;
      CHECK(low[i] == std::min(-1.5F, *std::min_element(x, x + kFramesPerBlock)));
      CHECK(high[i] == std::max(-1.5F, *std::max_element(x, x + kFramesPerBlock)));
    }
  });
}

}  // namespace skinbake
