// The range of numbers over frames, on registers.

#if defined(SKINBAKE_FRAMES_LANE_RANGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_FRAMES_LANE_RANGE_INL_H_
#undef SKINBAKE_FRAMES_LANE_RANGE_INL_H_
#else
#define SKINBAKE_FRAMES_LANE_RANGE_INL_H_
#endif

#include <algorithm>

#include "math/frame_lanes-inl.h"
#include "skinbake/frames.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline void widen_by_lanes_here(const float* block, std::size_t count, float* low, float* high) {
  const hn::CappedTag<float, kFramesPerBlock> d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  for (std::size_t i = 0; i < count; ++i) {
    const float* numbers = block + i * kFramesPerBlock;
    auto least = hn::Load(d, numbers), most = least;
    for (int frame = lanes; frame < kFramesPerBlock; frame += lanes) {
      const auto x = hn::Load(d, numbers + frame);
      least = hn::Min(least, x);
      most = hn::Max(most, x);
    }
    low[i] = std::min(low[i], hn::GetLane(hn::MinOfLanes(d, least)));
    high[i] = std::max(high[i], hn::GetLane(hn::MaxOfLanes(d, most)));
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
