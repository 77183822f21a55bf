// Quantization of positions to a grid, in registers.

#if defined(SKINBAKE_CACHES_QUANTIZE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_CACHES_QUANTIZE_INL_H_
#undef SKINBAKE_CACHES_QUANTIZE_INL_H_
#else
#define SKINBAKE_CACHES_QUANTIZE_INL_H_
#endif

#include <cstring>

#include "caches/kernels/kernels.h"
#include "math/frame_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Quantized displacements of one vertex, [axis][frame].
struct alignas(64) QuantizedDisplacements {
  std::int32_t numbers[3][kFramesPerBlock];
};

// Processes as many frames at a time as a register holds doubles: float is too narrow for the grid.
HWY_INLINE void quantize_vertex(const QuantizeTask& task, std::size_t vertex,
                                QuantizedDisplacements& displacements) {
  const hn::CappedTag<double, kFramesPerBlock> d;
  const hn::Rebind<float, decltype(d)> floats;
  const hn::Rebind<std::int32_t, decltype(d)> ints;
  const auto largest = hn::Set(ints, task.largest), least = hn::Set(ints, -task.largest);
  const auto factor = hn::Set(d, task.steps_per_metre), half = hn::Set(d, 0.5);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t number = vertex * 3 + axis;
    const auto centre = hn::Set(d, task.centre[axis]);
    const auto base = hn::Set(ints, task.base[number]);
    for (std::size_t frame = 0; frame < kFramesPerBlock; frame += hn::Lanes(d)) {
      const float* x = task.lanes + number * kFramesPerBlock + frame;
      const auto q = hn::Mul(hn::Sub(hn::PromoteTo(d, hn::Load(floats, x)), centre), factor);
      const auto quantized = hn::DemoteTo(ints, hn::Add(q, hn::CopySign(half, q)));
      const auto displacement = hn::Max(least, hn::Min(largest, hn::Sub(quantized, base)));
      hn::Store(displacement, ints, &displacements.numbers[axis][frame]);
    }
  }
}

HWY_INLINE void widen(const QuantizedDisplacements& displacements, QuantizedRange& range) {
  const hn::CappedTag<std::int32_t, kFramesPerBlock> d;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t frame = 0; frame < kFramesPerBlock; frame += hn::Lanes(d)) {
      const auto displacement = hn::Load(d, &displacements.numbers[axis][frame]);
      std::int32_t* least = &range.least[axis][frame];
      std::int32_t* most = &range.most[axis][frame];
      hn::Store(hn::Min(hn::Load(d, least), displacement), d, least);
      hn::Store(hn::Max(hn::Load(d, most), displacement), d, most);
    }
  }
}

// Stores the low 16 bits of one vertex, or of two neighbours: x and y in a word of 32 bits, z and
// the padding in the next.
template <std::size_t kVertices>
HWY_INLINE void store_shorts(const QuantizedDisplacements* displacements, std::int16_t* row,
                             std::size_t row_stride) {
  const hn::CappedTag<std::uint32_t, kFramesPerBlock> d;
  constexpr std::size_t kWords = 2 * kVertices;
  alignas(64) std::uint32_t words[kFramesPerBlock * kWords];
  const auto low = hn::Set(d, 0xffff);
  for (std::size_t frame = 0; frame < kFramesPerBlock; frame += hn::Lanes(d)) {
    const auto load = [&](const QuantizedDisplacements& of, std::size_t axis) HWY_ATTR {
      const hn::RebindToSigned<decltype(d)> ints;
      return hn::BitCast(d, hn::Load(ints, &of.numbers[axis][frame]));
    };
    const auto xy = [&](const QuantizedDisplacements& of) HWY_ATTR {
      return hn::Or(hn::And(load(of, 0), low), hn::ShiftLeft<16>(load(of, 1)));
    };
    const auto z = [&](const QuantizedDisplacements& of)
                       HWY_ATTR { return hn::And(load(of, 2), low); };
    if constexpr (kVertices == 1) {
      hn::StoreInterleaved2(xy(displacements[0]), z(displacements[0]), d, words + kWords * frame);
    } else {
      hn::StoreInterleaved4(xy(displacements[0]), z(displacements[0]), xy(displacements[1]),
                            z(displacements[1]), d, words + kWords * frame);
    }
  }
  for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
    std::memcpy(row + frame * row_stride, words + kWords * frame,
                kVertices * kShortsPerPosition * sizeof *row);
  }
}

inline void store_quantized_here(const QuantizeTask& task, QuantizedRange& range) {
  QuantizedDisplacements displacements[2];
  std::size_t v = 0;
  for (; v + 2 <= task.vertices; v += 2) {
    for (std::size_t i = 0; i < 2; ++i) {
      quantize_vertex(task, v + i, displacements[i]);
      widen(displacements[i], range);
    }
    store_shorts<2>(displacements, task.rows + v * kShortsPerPosition, task.row_stride);
  }
  if (v == task.vertices) return;
  quantize_vertex(task, v, displacements[0]);
  widen(displacements[0], range);
  store_shorts<1>(displacements, task.rows + v * kShortsPerPosition, task.row_stride);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
