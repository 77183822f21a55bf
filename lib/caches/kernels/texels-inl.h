// Conversion of lanes to texels, in registers.

#if defined(SKINBAKE_CACHES_TEXELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_CACHES_TEXELS_INL_H_
#undef SKINBAKE_CACHES_TEXELS_INL_H_
#else
#define SKINBAKE_CACHES_TEXELS_INL_H_
#endif

#include "caches/kernels/kernels.h"
#include "math/frame_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Vectors with as many elements as a register holds doubles.
inline constexpr hn::ScalableTag<double> kDoubles;
inline constexpr hn::Rebind<float, hn::ScalableTag<double>> kFloats;
inline constexpr hn::Rebind<std::int32_t, hn::ScalableTag<double>> kIntegers;
inline constexpr hn::Rebind<std::uint16_t, hn::ScalableTag<double>> kShorts;
using Doubles = hn::Vec<hn::ScalableTag<double>>;

// Calls put(index in [vertex][frame], texels) for each register of one axis.
template <class Put>
HWY_INLINE void for_each_texel(const TexelTask& task, std::size_t axis, const Put& put) {
  const Doubles low = hn::Set(kDoubles, task.low[axis]);
  const Doubles factor = hn::Set(kDoubles, task.factor[axis]);
  for (std::size_t v = 0; v < task.vertices; ++v) {
    const std::size_t number = 3 * v + axis;
    const auto base = hn::Set(kFloats, task.base[number]);
    for (std::size_t lane = 0; lane < kFramesPerBlock; lane += hn::Lanes(kDoubles)) {
      const auto from = hn::Load(kFloats, task.lanes + number * kFramesPerBlock + lane);
      const Doubles displacement = hn::PromoteTo(kDoubles, hn::Sub(from, base));
      put(v * kFramesPerBlock + lane, hn::Mul(hn::Sub(displacement, low), factor));
    }
  }
}

inline void make_texels_here(const TexelTask& task, std::size_t axis, float* texels) {
  const Doubles zero = hn::Zero(kDoubles), one = hn::Set(kDoubles, 1.0);
  for_each_texel(task, axis, [&](std::size_t index, Doubles texel) HWY_ATTR {
    const Doubles inside = hn::Min(hn::Max(texel, zero), one);
    hn::Store(hn::DemoteTo(kFloats, inside), kFloats, texels + index);
  });
}

// Texels as 16-bit integers, [axis][vertex][frame].
struct TexelSteps {
  alignas(64) std::uint16_t axes[3][kVerticesPerTile * kFramesPerBlock];
};

inline void find_steps(const TexelTask& task, TexelSteps& steps) {
  constexpr double kSteps = 65535;
  TexelTask scaled = task;
  for (double& factor : scaled.factor) factor *= kSteps;
  const Doubles half = hn::Set(kDoubles, 0.5);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for_each_texel(scaled, axis, [&](std::size_t index, Doubles texel) HWY_ATTR {
      // DemoteTo truncates. Rounding moves a texel beyond 0 … 65535 by less than half a step, so
      // the result stays in the range.
      const auto step = hn::DemoteTo(kIntegers, hn::Add(texel, half));
      hn::StoreU(hn::DemoteTo(kShorts, step), kShorts, steps.axes[axis] + index);
    });
  }
}

// Stores one vertex, texel by texel.
HWY_INLINE void put_vertex(const TexelSteps& steps, std::size_t vertex, unsigned char* rows,
                           std::size_t stride) {
  for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
    unsigned char* to = rows + frame * stride;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const unsigned step = steps.axes[axis][vertex * kFramesPerBlock + frame];
      to[2 * axis] = static_cast<unsigned char>(step >> 8);
      to[2 * axis + 1] = static_cast<unsigned char>(step & 0xFF);
    }
    to[6] = to[7] = 0xFF;
  }
}

#if HWY_TARGET != HWY_SCALAR
inline constexpr hn::FixedTag<std::uint8_t, 16> k8;
inline constexpr hn::FixedTag<std::uint16_t, 8> k16;
inline constexpr hn::FixedTag<std::uint32_t, 4> k32;
inline constexpr hn::FixedTag<std::uint64_t, 2> k64;
using Two = hn::Vec<hn::FixedTag<std::uint64_t, 2>>;

// Eight frames of a vertex, two texels in a register.
struct EightTexels {
  Two pairs[4];
};

HWY_INLINE EightTexels eight_texels(const TexelSteps& steps, std::size_t index) {
  const auto load = [&](std::size_t axis) HWY_ATTR {
    const auto step = hn::Load(k16, steps.axes[axis] + index);
    return hn::Or(hn::ShiftLeft<8>(step), hn::ShiftRight<8>(step));
  };
  const auto red = load(0), green = load(1), blue = load(2);
  const auto alpha = hn::Set(k16, std::uint16_t{0xFFFF});
  const auto rg_low = hn::BitCast(k32, hn::InterleaveLower(k16, red, green));
  const auto rg_high = hn::BitCast(k32, hn::InterleaveUpper(k16, red, green));
  const auto ba_low = hn::BitCast(k32, hn::InterleaveLower(k16, blue, alpha));
  const auto ba_high = hn::BitCast(k32, hn::InterleaveUpper(k16, blue, alpha));
  return {{hn::BitCast(k64, hn::InterleaveLower(k32, rg_low, ba_low)),
           hn::BitCast(k64, hn::InterleaveUpper(k32, rg_low, ba_low)),
           hn::BitCast(k64, hn::InterleaveLower(k32, rg_high, ba_high)),
           hn::BitCast(k64, hn::InterleaveUpper(k32, rg_high, ba_high))}};
}

// Stores two neighbouring vertices: 16 bytes in each frame.
HWY_INLINE void put_two_vertices(const TexelSteps& steps, std::size_t vertex, unsigned char* rows,
                                 std::size_t stride) {
  for (std::size_t frame = 0; frame < kFramesPerBlock; frame += 8) {
    const EightTexels a = eight_texels(steps, vertex * kFramesPerBlock + frame);
    const EightTexels b = eight_texels(steps, (vertex + 1) * kFramesPerBlock + frame);
    unsigned char* to = rows + frame * stride;
    for (std::size_t pair = 0; pair < 4; ++pair) {
      hn::StoreU(hn::BitCast(k8, hn::InterleaveLower(k64, a.pairs[pair], b.pairs[pair])), k8, to);
      hn::StoreU(hn::BitCast(k8, hn::InterleaveUpper(k64, a.pairs[pair], b.pairs[pair])), k8,
                 to + stride);
      to += 2 * stride;
    }
  }
}
#endif

inline void put_png_texels_here(const TexelTask& task, unsigned char* rows, std::size_t stride) {
  constexpr std::size_t kTexelBytes = 8;
  TexelSteps steps;
  find_steps(task, steps);
  std::size_t v = 0;
#if HWY_TARGET != HWY_SCALAR
  for (; v + 2 <= task.vertices; v += 2) {
    put_two_vertices(steps, v, rows + kTexelBytes * v, stride);
  }
#endif
  for (; v < task.vertices; ++v) put_vertex(steps, v, rows + kTexelBytes * v, stride);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
