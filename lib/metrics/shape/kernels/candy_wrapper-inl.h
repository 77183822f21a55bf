// Twice the area of a closed polygon in space: |sum of p_i x p_(i+1)|, with the points relative to
// the first one.

#if defined(SKINBAKE_METRICS_SHAPE_CANDY_WRAPPER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_SHAPE_CANDY_WRAPPER_INL_H_
#undef SKINBAKE_METRICS_SHAPE_CANDY_WRAPPER_INL_H_
#else
#define SKINBAKE_METRICS_SHAPE_CANDY_WRAPPER_INL_H_
#endif

#include "frames/points-inl.h"
#include "metrics/shape/kernels/lane_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real, class Points>
HWY_INLINE Vec3<Real> position_of(const Points& points, const CutPoint& cut) {
  const Vec3<Real> from = points[cut.from];
  return fma(splat<Real>(cut.lambda), points[cut.to] - from, from);
}

template <class Real, class Points>
Real twice_loop_area(const Points& points, std::span<const CutPoint> loop) {
  const Vec3<Real> origin = position_of<Real>(points, loop.front());
  const Real zero = splat<Real>(0);
  Vec3<Real> sum{zero, zero, zero}, last = sum;  // the first and the last terms are zero
  for (std::size_t i = 1; i < loop.size(); ++i) {
    const Vec3<Real> next = position_of<Real>(points, loop[i]) - origin;
    sum = sum + cross(last, next);
    last = next;
  }
  return norm(sum);
}

inline void block_loop_area(const float* positions, std::span<const CutPoint> loop, LaneRow& out) {
  for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
    const BlockPoints<DoubleLanes> points{positions + first};
    store(twice_loop_area<DoubleLanes>(points, loop), out.at + first);
  }
}

inline double pose_loop_area(const double* positions, std::span<const CutPoint> loop) {
  return twice_loop_area<double>(PosePoints{positions}, loop);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
