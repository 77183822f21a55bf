// The distance of a vertex x from the joint segment from s to s + d:
//
//     |x - s - t d|      t = (x - s) . d / |d|^2, clamped to 0 … 1

#if defined(SKINBAKE_METRICS_SHAPE_BULGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_SHAPE_BULGE_INL_H_
#undef SKINBAKE_METRICS_SHAPE_BULGE_INL_H_
#else
#define SKINBAKE_METRICS_SHAPE_BULGE_INL_H_
#endif

#include "frames/points-inl.h"
#include "metrics/shape/kernels/lane_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// `inverse_square` is 1 / |d|^2, or 0 if the segment is a point.
template <class Real>
HWY_INLINE Real distance_from(const Vec3<Real>& point, const Vec3<Real>& start,
                              const Vec3<Real>& direction, Real inverse_square) {
  const Vec3<Real> offset = point - start;
  const Real along = dot(offset, direction) * inverse_square;
  const Real t = min(max(along, splat<Real>(0)), splat<Real>(1));
  return norm(fma(-t, direction, offset));
}

inline void sum_bulges_here(const float* positions, const double* segments,
                            std::span<const SegmentVertex> vertices, BulgeSums& out) {
  set_row(out.bulge, 0);
  set_row(out.collapse, 0);
  start_max(out.max_bulge_m);
  start_max(out.max_collapse_m);
  using Real = DoubleLanes;
  const Real zero = splat<Real>(0), one = splat<Real>(1);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Real element = splat<Real>(static_cast<double>(v));
    const Real rest = splat<Real>(vertices[v].distance_m);
    const double* const segment =
        segments + vertices[v].segment * kSegmentElements * kFramesPerBlock;
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const double* const e = segment + first;
      constexpr int kRow = kFramesPerBlock;
      const Vec3<Real> start{load<Real>(e), load<Real>(e + kRow), load<Real>(e + 2 * kRow)};
      const Vec3<Real> direction{load<Real>(e + 3 * kRow), load<Real>(e + 4 * kRow),
                                 load<Real>(e + 5 * kRow)};
      const BlockPoints<Real> points{positions + first};
      const Real distance =
          distance_from(points[vertices[v].vertex], start, direction, load<Real>(e + 6 * kRow));
      const Real change = distance / rest - one;
      add_to(out.bulge, first, max(zero, change));
      add_to(out.collapse, first, max(zero, -change));
      const Real change_m = distance - rest;
      take_max(out.max_bulge_m, first, max(zero, change_m), element);
      take_max(out.max_collapse_m, first, max(zero, -change_m), element);
    }
  }
}

inline double segment_distance_here(const Vec3<double>& point, const Vec3<double>& start,
                                    const Vec3<double>& end) {
  const Vec3<double> direction = end - start;
  const double square = dot(direction, direction);
  return distance_from(point, start, direction, square > 0 ? 1 / square : 0.0);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
