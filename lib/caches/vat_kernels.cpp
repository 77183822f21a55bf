// Compiled once per Highway target.

#include "caches/vat_kernels.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caches/vat_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// As many floats as there are doubles in a register.
inline constexpr hn::ScalableTag<double> kDoubles;
inline constexpr hn::Rebind<float, hn::ScalableTag<double>> kFloats;
inline constexpr hn::Rebind<std::int32_t, hn::ScalableTag<double>> kIntegers;
inline constexpr hn::Rebind<std::uint16_t, hn::ScalableTag<double>> kShorts;
using Doubles = hn::Vec<hn::ScalableTag<double>>;

// Calls put(place among the lanes of all vertices, texels) for each register of one axis.
template <class Put>
HWY_INLINE void for_each_texel(const TexelTask& task, std::size_t axis, const Put& put) {
  const Doubles low = hn::Set(kDoubles, task.low[axis]);
  const Doubles factor = hn::Set(kDoubles, task.factor[axis]);
  for (std::size_t v = 0; v < task.vertices; ++v) {
    const std::size_t number = 3 * v + axis;
    const auto base = hn::Set(kFloats, task.base[number]);
    for (std::size_t lane = 0; lane < kFramesPerBlock; lane += hn::Lanes(kDoubles)) {
      const auto from = hn::Load(kFloats, task.lanes + number * kFramesPerBlock + lane);
      const Doubles way = hn::PromoteTo(kDoubles, hn::Sub(from, base));
      put(v * kFramesPerBlock + lane, hn::Mul(hn::Sub(way, low), factor));
    }
  }
}

void make_texels_here(const TexelTask& task, std::size_t axis, float* texels) {
  const Doubles zero = hn::Zero(kDoubles), one = hn::Set(kDoubles, 1.0);
  for_each_texel(task, axis, [&](std::size_t place, Doubles texel) HWY_ATTR {
    const Doubles inside = hn::Min(hn::Max(texel, zero), one);
    hn::Store(hn::DemoteTo(kFloats, inside), kFloats, texels + place);
  });
}

// [axis][vertex][frame]
struct Steps {
  alignas(64) std::uint16_t axes[3][kVerticesPerTile * kFramesPerBlock];
};

void find_steps(const TexelTask& task, Steps& steps) {
  constexpr double kSteps = 65535;
  TexelTask scaled = task;
  for (double& factor : scaled.factor) factor *= kSteps;
  const Doubles half = hn::Set(kDoubles, 0.5);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for_each_texel(scaled, axis, [&](std::size_t place, Doubles texel) HWY_ATTR {
      // Towards zero; what lies beyond 0 … 65535 by a rounding does not reach the next integer.
      const auto step = hn::DemoteTo(kIntegers, hn::Add(texel, half));
      hn::StoreU(hn::DemoteTo(kShorts, step), kShorts, steps.axes[axis] + place);
    });
  }
}

// One vertex, texel after texel.
HWY_INLINE void put_vertex(const Steps& steps, std::size_t vertex, unsigned char* rows,
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

HWY_INLINE EightTexels eight_texels(const Steps& steps, std::size_t place) {
  const auto load = [&](std::size_t axis) HWY_ATTR {
    const auto step = hn::Load(k16, steps.axes[axis] + place);
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

// Two neighbours: 16 bytes of each frame.
HWY_INLINE void put_two_vertices(const Steps& steps, std::size_t vertex, unsigned char* rows,
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

void put_png_texels_here(const TexelTask& task, unsigned char* rows, std::size_t stride) {
  constexpr std::size_t kTexelBytes = 8;
  Steps steps;
  find_steps(task, steps);
  std::size_t v = 0;
#if HWY_TARGET != HWY_SCALAR
  for (; v + 2 <= task.vertices; v += 2) {
    put_two_vertices(steps, v, rows + kTexelBytes * v, stride);
  }
#endif
  for (; v < task.vertices; ++v) put_vertex(steps, v, rows + kTexelBytes * v, stride);
}

struct Least {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Min(a, b);
  }
};
struct Largest {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Max(a, b);
  }
};

// What `choose` chooses of one number's lanes.
template <class Choose>
HWY_INLINE float chosen(const float* lanes, const Choose& choose) {
  const hn::CappedTag<float, 1> one;
  auto best = hn::Load(one, lanes);
  for (std::size_t lane = 1; lane < kFramesPerBlock; ++lane) {
    best = choose(best, hn::Load(one, lanes + lane));
  }
  return hn::GetLane(best);
}

#if HWY_TARGET != HWY_SCALAR
// Four numbers' lanes at once, halved by each step until there is one of each.
template <class Choose>
HWY_INLINE void choose_four(const float* lanes, const Choose& choose, float* to) {
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<double, 2> pairs;
  const auto quarter = [&](std::size_t number) HWY_ATTR {
    const float* from = lanes + number * kFramesPerBlock;
    return choose(choose(hn::Load(d, from), hn::Load(d, from + 4)),
                  choose(hn::Load(d, from + 8), hn::Load(d, from + 12)));
  };
  const auto two = [&](auto a, auto b) HWY_ATTR {  // a b a b
    return choose(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  };
  const auto ab = hn::BitCast(pairs, two(quarter(0), quarter(1)));
  const auto ce = hn::BitCast(pairs, two(quarter(2), quarter(3)));
  hn::StoreU(choose(hn::BitCast(d, hn::InterleaveLower(pairs, ab, ce)),
                    hn::BitCast(d, hn::InterleaveUpper(pairs, ab, ce))),
             d, to);
}
#endif

void find_ranges_here(const float* lanes, std::size_t count, float* least, float* largest) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  for (; i + 4 <= count; i += 4) {
    choose_four(lanes + i * kFramesPerBlock, Least(), least + i);
    choose_four(lanes + i * kFramesPerBlock, Largest(), largest + i);
  }
#endif
  for (; i < count; ++i) {
    least[i] = chosen(lanes + i * kFramesPerBlock, Least());
    largest[i] = chosen(lanes + i * kFramesPerBlock, Largest());
  }
}

template <class Choose>
HWY_INLINE void keep(const float* numbers, std::size_t count, const Choose& choose, float* best) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    hn::StoreU(choose(hn::LoadU(d, best + i), hn::LoadU(d, numbers + i)), d, best + i);
  }
  const hn::CappedTag<float, 1> one;
  for (; i < count; ++i) {
    hn::Store(choose(hn::Load(one, best + i), hn::Load(one, numbers + i)), one, best + i);
  }
}

void keep_least_here(const float* numbers, std::size_t count, float* least) {
  keep(numbers, count, Least(), least);
}

void keep_largest_here(const float* numbers, std::size_t count, float* largest) {
  keep(numbers, count, Largest(), largest);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(make_texels_here);
HWY_EXPORT(put_png_texels_here);
HWY_EXPORT(find_ranges_here);
HWY_EXPORT(keep_least_here);
HWY_EXPORT(keep_largest_here);

}  // namespace

void make_texels(const TexelTask& task, std::size_t axis, float* texels) {
  HWY_DYNAMIC_DISPATCH(make_texels_here)(task, axis, texels);
}

void put_png_texels(const TexelTask& task, unsigned char* rows, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(put_png_texels_here)(task, rows, stride);
}

void find_ranges(const float* lanes, std::size_t count, float* least, float* largest) {
  HWY_DYNAMIC_DISPATCH(find_ranges_here)(lanes, count, least, largest);
}

void keep_least(const float* numbers, std::size_t count, float* least) {
  HWY_DYNAMIC_DISPATCH(keep_least_here)(numbers, count, least);
}

void keep_largest(const float* numbers, std::size_t count, float* largest) {
  HWY_DYNAMIC_DISPATCH(keep_largest_here)(numbers, count, largest);
}

}  // namespace skinbake

#endif  // HWY_ONCE
