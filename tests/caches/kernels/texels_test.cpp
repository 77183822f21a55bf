#include "caches/kernels/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/aligned_array.h"
#include "support/targets.h"

namespace skinbake {
namespace {

constexpr std::size_t kVertices = 11, kNumbers = 3 * kVertices;

// Numbers of either sign, unsorted.
struct Lanes {
  AlignedArray<float> lanes{kNumbers * kFramesPerBlock};
  std::vector<float> base = std::vector<float>(kNumbers);
  TexelTask task;

  Lanes() {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = static_cast<float>(std::remainder(static_cast<double>(i * i + 1) * 0.7371, 2.0));
    }
    for (std::size_t i = 0; i < kNumbers; ++i) base[i] = lanes[i * kFramesPerBlock];
    task = {lanes.data(), kVertices, base.data(), {-2, -1.5, -1}, {1 / 4.1, 1 / 3.3, 1 / 2.7}};
  }

  // The texel before rounding; some are outside 0 … 1.
  double texel(std::size_t vertex, std::size_t axis, std::size_t frame) const {
    const std::size_t number = 3 * vertex + axis;
    const float displacement = lanes[number * kFramesPerBlock + frame] - base[number];
    return (double{displacement} - task.low[axis]) * task.factor[axis];
  }
};

}  // namespace

TEST_CASE("texels: every instruction set gives the same bits, those of the formula") {
  const Lanes numbers;
  test::for_each_simd_target([&](const std::string&) {
    AlignedArray<float> texels(kVertices * kFramesPerBlock);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      make_texels(numbers.task, axis, texels.data());
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < texels.size(); ++i) {
        const double exact = numbers.texel(i / kFramesPerBlock, axis, i % kFramesPerBlock);
        wrong += texels[i] != static_cast<float>(std::clamp(exact, 0.0, 1.0));
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("texels: those of a PNG are rounded to the nearest, big-endian, and other bytes stay") {
  Lanes numbers;
  numbers.task.low = {-3, -3, -3};
  numbers.task.factor = {1 / 6.1, 1 / 6.2, 1 / 6.3};
  constexpr std::size_t kStride = 8 * kVertices + 3;
  test::for_each_simd_target([&](const std::string&) {
    std::vector<unsigned char> rows(kFramesPerBlock * kStride, 7);
    put_png_texels(numbers.task, rows.data(), kStride);
    std::size_t wrong = 0;
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      for (std::size_t v = 0; v < kVertices; ++v) {
        const unsigned char* texel = &rows[frame * kStride + 8 * v];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double step = std::floor(numbers.texel(v, axis, frame) * 65535 + 0.5);
          wrong += texel[2 * axis] * 256 + texel[2 * axis + 1] != static_cast<int>(step);
        }
        wrong += texel[6] != 0xFF || texel[7] != 0xFF;
      }
      const auto* end = &rows[frame * kStride + 8 * kVertices];
      wrong += std::count(end, end + 3, 7) != 3;
    }
    CHECK(wrong == 0);
  });
}

}  // namespace skinbake
