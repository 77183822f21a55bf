// Edge stretch: sigma = |e'| / |e|.

#if defined(SKINBAKE_METRICS_SHAPE_EDGE_STRETCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_SHAPE_EDGE_STRETCH_INL_H_
#undef SKINBAKE_METRICS_SHAPE_EDGE_STRETCH_INL_H_
#else
#define SKINBAKE_METRICS_SHAPE_EDGE_STRETCH_INL_H_
#endif

#include "frames/points-inl.h"
#include "math/elementary-inl.h"
#include "metrics/shape/kernels/lane_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline void sum_stretch_here(const float* positions, std::span<const StretchEdge> edges,
                             StretchSums& out) {
  set_row(out.change, 0);
  set_row(out.log_square, 0);
  start_max(out.max);
  start_min(out.min);
  const DoubleLanes one = splat<DoubleLanes>(1);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const DoubleLanes element = splat<DoubleLanes>(static_cast<double>(e));
    const DoubleLanes length = splat<DoubleLanes>(edges[e].length_m);
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const BlockPoints<DoubleLanes> points{positions + first};
      const DoubleLanes sigma = norm(points[edges[e].to] - points[edges[e].from]) / length;
      const DoubleLanes logarithm = log(max(sigma, splat<DoubleLanes>(kLeastSigma)));
      add_to(out.change, first, abs(sigma - one));
      add_to(out.log_square, first, logarithm * logarithm);
      take_max(out.max, first, sigma, element);
      take_min(out.min, first, sigma, element);
    }
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
