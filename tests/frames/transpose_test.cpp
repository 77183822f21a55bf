#include "frames/transpose.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/aligned_array.h"
#include "skinbake/frames.h"
#include "support/targets.h"

namespace skinbake {
namespace {

// A block whose elements are their own indices.
AlignedArray<float> numbered_block(std::size_t count) {
  AlignedArray<float> block(std::max<std::size_t>(1, count) * kFramesPerBlock);
  for (std::size_t i = 0; i < count * kFramesPerBlock; ++i) block[i] = static_cast<float>(i);
  return block;
}

constexpr float kUntouched = -1;

std::vector<float> expected_rows(const AlignedArray<float>& block, std::size_t count, int frames,
                                 std::size_t stride) {
  std::vector<float> rows(stride * kFramesPerBlock, kUntouched);
  for (int frame = 0; frame < frames; ++frame) {
    for (std::size_t i = 0; i < count; ++i) {
      rows[static_cast<std::size_t>(frame) * stride + i] =
          block[i * kFramesPerBlock + static_cast<std::size_t>(frame)];
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("transpose: a count of 0 writes nothing") {
  const auto block = numbered_block(0);
  float row = kUntouched;
  transpose_to_rows(block.data(), 0, kFramesPerBlock, &row, 0);
  CHECK(row == kUntouched);
}

TEST_CASE("transpose: rows agree with a plain loop for any size, frames, stride and target") {
  test::for_each_simd_target([](const std::string&) {
    for (std::size_t count : {1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 33, 63, 64, 100, 1536, 1537}) {
      const auto block = numbered_block(count);
      for (int frames = 1; frames <= kFramesPerBlock; ++frames) {
        for (const std::size_t stride : {count, count + 1, count + 37}) {
          std::vector<float> rows(stride * kFramesPerBlock, kUntouched);
          transpose_to_rows(block.data(), count, frames, rows.data(), stride);
          CAPTURE(count);
          CAPTURE(frames);
          CAPTURE(stride);
          CHECK(rows == expected_rows(block, count, frames, stride));
        }
      }
    }
  });
}

TEST_CASE("transpose: the inverse restores the block and repeats the last frame in unused lanes") {
  test::for_each_simd_target([](const std::string&) {
    for (std::size_t count : {1, 3, 4, 5, 17, 64, 100, 1537}) {
      const auto block = numbered_block(count);
      for (int frames = 1; frames <= kFramesPerBlock; ++frames) {
        for (const std::size_t stride : {count, count + 37}) {
          const std::vector<float> rows = expected_rows(block, count, frames, stride);
          AlignedArray<float> back(count * kFramesPerBlock);
          transpose_from_rows(rows.data(), stride, count, frames, back.data());
          int wrong = 0;
          for (std::size_t i = 0; i < count * kFramesPerBlock; ++i) {
            const std::size_t lane = std::min(i % kFramesPerBlock, std::size_t(frames - 1));
            wrong += back[i] != block[i / kFramesPerBlock * kFramesPerBlock + lane];
          }
          CAPTURE(count);
          CAPTURE(frames);
          CAPTURE(stride);
          CHECK(wrong == 0);
        }
      }
    }
  });
}

}  // namespace skinbake
