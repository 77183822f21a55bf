#include "frames/transpose.h"

#include <algorithm>

#include "skinbake/frames.h"

// Highway compiles this file once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "frames/transpose.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Transposes the numbers from `first` to `count` - 1 of every frame, one number at a time.
void transpose_rest(const float* block, std::size_t first, std::size_t count, int frame_count,
                    float* rows, std::size_t row_stride) {
  for (int frame = 0; frame < frame_count; ++frame) {
    float* row = rows + static_cast<std::size_t>(frame) * row_stride;
    for (std::size_t i = first; i < count; ++i) row[i] = block[i * kFramesPerBlock + frame];
  }
}

#if HWY_TARGET != HWY_SCALAR
// Transposes a 4 x 4 matrix by interleaving twice. Loads and stores of 16 bytes are fast enough:
// the cache lines of the rows are filled while they are in the first-level cache.
HWY_INLINE void transpose_4x4(const float* from, std::size_t from_stride, float* rows,
                              std::size_t row_stride) {
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<double, 2> pairs;
  const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + from_stride);
  const auto c = hn::LoadU(d, from + 2 * from_stride);
  const auto e = hn::LoadU(d, from + 3 * from_stride);
  const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
  const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
  const auto ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low)), d, rows);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low)), d, rows + row_stride);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high)), d,
             rows + 2 * row_stride);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high)), d,
             rows + 3 * row_stride);
}
#endif

void transpose(const float* block, std::size_t count, int frame_count, float* rows,
               std::size_t row_stride) {
#if HWY_TARGET == HWY_SCALAR
  transpose_rest(block, 0, count, frame_count, rows, row_stride);
#else
  if (frame_count < kFramesPerBlock) {
    transpose_rest(block, 0, count, frame_count, rows, row_stride);
    return;
  }
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t frame = 0; frame < kFramesPerBlock; frame += 4) {
      transpose_4x4(block + i * kFramesPerBlock + frame, kFramesPerBlock,
                    rows + frame * row_stride + i, row_stride);
    }
  }
  transpose_rest(block, i, count, frame_count, rows, row_stride);
#endif
}

void transpose_back_rest(const float* rows, std::size_t row_stride, std::size_t first,
                         std::size_t count, int frame_count, float* block) {
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    const float* row =
        rows + static_cast<std::size_t>(std::min(lane, frame_count - 1)) * row_stride;
    for (std::size_t i = first; i < count; ++i) block[i * kFramesPerBlock + lane] = row[i];
  }
}

void transpose_back(const float* rows, std::size_t row_stride, std::size_t count, int frame_count,
                    float* block) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  for (; frame_count == kFramesPerBlock && i + 4 <= count; i += 4) {
    for (std::size_t frame = 0; frame < kFramesPerBlock; frame += 4) {
      transpose_4x4(rows + frame * row_stride + i, row_stride, block + i * kFramesPerBlock + frame,
                    kFramesPerBlock);
    }
  }
#endif
  transpose_back_rest(rows, row_stride, i, count, frame_count, block);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skinbake {

HWY_EXPORT(transpose);
HWY_EXPORT(transpose_back);

void transpose_to_rows(const float* block, std::size_t count, int frame_count, float* rows,
                       std::size_t row_stride) {
  HWY_DYNAMIC_DISPATCH(transpose)(block, count, frame_count, rows, row_stride);
}

void transpose_from_rows(const float* rows, std::size_t row_stride, std::size_t count,
                         int frame_count, float* block) {
  HWY_DYNAMIC_DISPATCH(transpose_back)(rows, row_stride, count, frame_count, block);
}

}  // namespace skinbake
#endif  // HWY_ONCE
