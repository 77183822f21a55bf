// Compiled once per Highway target.

#include "frames/lane_range.h"

#include <algorithm>

#include "skinbake/frames.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "frames/lane_range.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "math/frame_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

void widen(const float* block, std::size_t count, float* low, float* high) {
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

#if HWY_ONCE
namespace skinbake {

HWY_EXPORT(widen);

void widen_by_lanes(const float* block, std::size_t count, float* low, float* high) {
  HWY_DYNAMIC_DISPATCH(widen)(block, count, low, high);
}

}  // namespace skinbake
#endif  // HWY_ONCE
