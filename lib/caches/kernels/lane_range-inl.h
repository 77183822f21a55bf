// The range of numbers over the frames of a block, in registers.

#if defined(SKINBAKE_CACHES_LANE_RANGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_CACHES_LANE_RANGE_INL_H_
#undef SKINBAKE_CACHES_LANE_RANGE_INL_H_
#else
#define SKINBAKE_CACHES_LANE_RANGE_INL_H_
#endif

#include <algorithm>

#include "math/frame_lanes-inl.h"
#include "skinbake/frames.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

struct Least {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Min(a, b);
  }
};
struct Greatest {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Max(a, b);
  }
};

#if HWY_TARGET != HWY_SCALAR
// Reduces the 16 lanes of four numbers together: every step halves the lanes, until each number has
// one left.
template <class Choose>
HWY_INLINE void widen_four(const float* lanes, const Choose& choose, float* best) {
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<double, 2> pairs;
  const auto four_of = [&](std::size_t number) HWY_ATTR {
    const float* from = lanes + number * kFramesPerBlock;
    return choose(choose(hn::Load(d, from), hn::Load(d, from + 4)),
                  choose(hn::Load(d, from + 8), hn::Load(d, from + 12)));
  };
  const auto two_of = [&](std::size_t number) HWY_ATTR {  // interleaves this number and the next
    const auto a = four_of(number), b = four_of(number + 1);
    return hn::BitCast(pairs, choose(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)));
  };
  const auto low = two_of(0), high = two_of(2);
  const auto found = choose(hn::BitCast(d, hn::InterleaveLower(pairs, low, high)),
                            hn::BitCast(d, hn::InterleaveUpper(pairs, low, high)));
  hn::StoreU(choose(hn::LoadU(d, best), found), d, best);
}
#endif

inline void widen_by_lanes_here(const float* block, std::size_t count, float* low, float* high) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  for (; i + 4 <= count; i += 4) {
    widen_four(block + i * kFramesPerBlock, Least(), low + i);
    widen_four(block + i * kFramesPerBlock, Greatest(), high + i);
  }
#endif
  for (; i < count; ++i) {
    const float* from = block + i * kFramesPerBlock;
    low[i] = std::min(low[i], *std::min_element(from, from + kFramesPerBlock));
    high[i] = std::max(high[i], *std::max_element(from, from + kFramesPerBlock));
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
