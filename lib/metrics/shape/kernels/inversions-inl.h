// A triangle is inverted if its normal n' points away from its bind normal n as rotated by its
// joints:
//
//     n' . (R n) < 0      R: rotation of q = sum of w_j q_j, each q_j in the hemisphere of the
//                         heaviest joint's
//
// q is not normalised. That does not change the sign: |q|^2 R n is a polynomial in q.

#if defined(SKINBAKE_METRICS_SHAPE_INVERSIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_SHAPE_INVERSIONS_INL_H_
#undef SKINBAKE_METRICS_SHAPE_INVERSIONS_INL_H_
#else
#define SKINBAKE_METRICS_SHAPE_INVERSIONS_INL_H_
#endif

#include "frames/points-inl.h"
#include "math/affine-inl.h"
#include "metrics/shape/kernels/lane_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
HWY_INLINE Quat<Real> rotation_of(const RotatedTriangles& rotated, std::uint32_t joint, int first) {
  const double* const q = rotated.rotations + std::size_t{joint} * 4 * kFramesPerBlock + first;
  return {load<Real>(q), load<Real>(q + kFramesPerBlock), load<Real>(q + 2 * kFramesPerBlock),
          load<Real>(q + 3 * kFramesPerBlock)};
}

template <class Real>
HWY_INLINE Quat<Real> blended_rotation(const RotatedTriangles& rotated, const RotatedTriangle& t,
                                       int first) {
  const JointWeight* const weights = rotated.weights.data() + t.first_weight;
  const Quat<Real> pivot = rotation_of<Real>(rotated, weights[0].joint, first);
  Quat<Real> sum = splat<Real>(weights[0].weight) * pivot;
  for (std::uint32_t i = 1; i < t.weight_count; ++i) {
    const Quat<Real> q = rotation_of<Real>(rotated, weights[i].joint, first);
    sum = fma(copysign(splat<Real>(weights[i].weight), dot(pivot, q)), q, sum);
  }
  return sum;
}

inline void count_inversions_here(const float* positions, const RotatedTriangles& rotated,
                                  LaneRow& out) {
  set_row(out, 0);
  using Real = DoubleLanes;
  const Real zero = splat<Real>(0), one = splat<Real>(1);
  for (const RotatedTriangle& t : rotated.triangles) {
    const Vec3<Real> n{splat<Real>(t.normal.x), splat<Real>(t.normal.y), splat<Real>(t.normal.z)};
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const Quat<Real> q = blended_rotation<Real>(rotated, t, first);
      const Vec3<Real> v = vector_part(q);
      const Real twice_along = splat<Real>(2) * dot(v, n);
      const Vec3<Real> turned_normal =
          fma(q.w * q.w - dot(v, v), n, fma(twice_along, v, (q.w + q.w) * cross(v, n)));
      const BlockPoints<Real> points{positions + first};
      const Vec3<Real> a = points[t.a];
      const Vec3<Real> normal = cross(points[t.b] - a, points[t.c] - a);
      add_to(out, first, select(less(dot(normal, turned_normal), zero), one, zero));
    }
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
