#include "caches/kernels/kernels.h"

#include <algorithm>
#include <limits>

// Highway compiles this file once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caches/kernels/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "caches/kernels/halves-inl.h"
#include "caches/kernels/lane_range-inl.h"
#include "caches/kernels/quantize-inl.h"
#include "caches/kernels/row_difference-inl.h"
#include "caches/kernels/texels-inl.h"

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(round_to_halves_here);
HWY_EXPORT(widen_by_lanes_here);
HWY_EXPORT(store_quantized_here);
HWY_EXPORT(subtract_row_here);
HWY_EXPORT(make_texels_here);
HWY_EXPORT(put_png_texels_here);

}  // namespace

QuantizedRange::QuantizedRange() {
  for (auto& frames : least) frames.fill(std::numeric_limits<std::int32_t>::max());
  for (auto& frames : most) frames.fill(std::numeric_limits<std::int32_t>::min());
}

void QuantizedRange::widen(const QuantizedRange& other) {
  for (std::size_t axis = 0; axis < least.size(); ++axis) {
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      least[axis][frame] = std::min(least[axis][frame], other.least[axis][frame]);
      most[axis][frame] = std::max(most[axis][frame], other.most[axis][frame]);
    }
  }
}

float round_to_halves(const float* numbers, std::size_t count, std::uint16_t* halves) {
  return HWY_DYNAMIC_DISPATCH(round_to_halves_here)(numbers, count, halves);
}

void widen_by_lanes(const float* block, std::size_t count, float* low, float* high) {
  HWY_DYNAMIC_DISPATCH(widen_by_lanes_here)(block, count, low, high);
}

void store_quantized(const QuantizeTask& task, QuantizedRange& range) {
  HWY_DYNAMIC_DISPATCH(store_quantized_here)(task, range);
}

RowDifference subtract_row(const float* base, float* row, std::size_t vectors) {
  return HWY_DYNAMIC_DISPATCH(subtract_row_here)(base, row, vectors);
}

void make_texels(const TexelTask& task, std::size_t axis, float* texels) {
  HWY_DYNAMIC_DISPATCH(make_texels_here)(task, axis, texels);
}

void put_png_texels(const TexelTask& task, unsigned char* rows, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(put_png_texels_here)(task, rows, stride);
}

}  // namespace skinbake

#endif  // HWY_ONCE
