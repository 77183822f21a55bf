// Sums and extremes for all frames of a block. The functions update one register of frames, from
// lane `first` on.

#if defined(SKINBAKE_METRICS_SHAPE_LANE_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_SHAPE_LANE_SUMS_INL_H_
#undef SKINBAKE_METRICS_SHAPE_LANE_SUMS_INL_H_
#else
#define SKINBAKE_METRICS_SHAPE_LANE_SUMS_INL_H_
#endif

#include <limits>

#include "frames/points-inl.h"
#include "math/frame_lanes-inl.h"
#include "metrics/shape/kernels/shape_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

HWY_INLINE void set_row(LaneRow& row, double value) {
  for (int r = 0; r < kRegisters; ++r)
    store(splat<DoubleLanes>(value), row.at + r * kRegisterLanes);
}
HWY_INLINE void add_to(LaneRow& row, int first, DoubleLanes value) {
  store(load<DoubleLanes>(row.at + first) + value, row.at + first);
}

HWY_INLINE void start_max(LaneExtreme& extreme) {
  set_row(extreme.value, -std::numeric_limits<double>::infinity());
  set_row(extreme.element, -1);
}
HWY_INLINE void start_min(LaneExtreme& extreme) {
  set_row(extreme.value, std::numeric_limits<double>::infinity());
  set_row(extreme.element, -1);
}
HWY_INLINE void put(LaneExtreme& extreme, int first, LanesMask<double> where, DoubleLanes value,
                    DoubleLanes element) {
  const DoubleLanes old_value = load<DoubleLanes>(extreme.value.at + first);
  const DoubleLanes old_element = load<DoubleLanes>(extreme.element.at + first);
  store(select(where, value, old_value), extreme.value.at + first);
  store(select(where, element, old_element), extreme.element.at + first);
}
HWY_INLINE void take_max(LaneExtreme& extreme, int first, DoubleLanes value, DoubleLanes element) {
  put(extreme, first, less(load<DoubleLanes>(extreme.value.at + first), value), value, element);
}
HWY_INLINE void take_min(LaneExtreme& extreme, int first, DoubleLanes value, DoubleLanes element) {
  put(extreme, first, less(value, load<DoubleLanes>(extreme.value.at + first)), value, element);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
