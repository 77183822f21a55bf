// The curve of sbs-core, sbs+ and sbs++: a weighted sum of points of the core, each posed by one
// joint of the edge,
//
//     gamma = h C_0 b + alpha_0 R_0 d_a + beta_0 R_0 d_b
//             + (1-h) C_1 b + alpha_1 R_1 d_a + beta_1 R_1 d_b
//
// whose weights depend on the vertex alone. Symbols: core_line.h.

#if defined(SKINBAKE_METHODS_CORE_SUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_CORE_SUM_INL_H_
#undef SKINBAKE_METHODS_CORE_SUM_INL_H_
#else
#define SKINBAKE_METHODS_CORE_SUM_INL_H_
#endif

#include <algorithm>

#include "methods/core_line/core_line-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct CoreSum {
  static constexpr std::size_t kCount = 18;
  static constexpr std::size_t kNumberCount = 5;  // 1 - h, alpha_0, beta_0, alpha_1, beta_1
  static constexpr bool kOfFootAlone = false;

  // C b, k R d_a and k R d_b of one joint.
  struct Points {
    Vec3<Real> head, parent_axis, child_axis;
  };
  Points points[2];

  static HWY_INLINE CoreSum read(ElementReader<Real>& in) {
    return {{{in.vec3(), in.vec3(), in.vec3()}, {in.vec3(), in.vec3(), in.vec3()}}};
  }
  static HWY_INLINE CoreSum pose(const CoreEdge& edge, const Affine<Real>& c0,
                                 const Affine<Real>& c1, Real k) {
    return {{points_of(edge, c0, k), points_of(edge, c1, k)}};
  }
  HWY_INLINE Vec3<Real> at(const Scalar<Real>* numbers) const {
    const Points &p0 = points[0], &p1 = points[1];
    const Real of_child = splat<Real>(numbers[0]), of_parent = splat<Real>(1 - numbers[0]);
    const Vec3<Real> head = fma(of_parent, p0.head, of_child * p1.head);
    const Vec3<Real> first = fma(splat<Real>(numbers[1]), p0.parent_axis,
                                 fma(splat<Real>(numbers[2]), p0.child_axis, head));
    return fma(splat<Real>(numbers[3]), p1.parent_axis,
               fma(splat<Real>(numbers[4]), p1.child_axis, first));
  }

 private:
  static HWY_INLINE Points points_of(const CoreEdge& edge, const Affine<Real>& c, Real k) {
    return {c * (k * splat<Real>(edge.head)), rotate(c, k * splat<Real>(edge.parent_axis)),
            rotate(c, k * splat<Real>(edge.child_axis))};
  }
};

// A point b + before d_a + after d_b.
struct CoreSpot {
  double before, after;
};
// c_v, and the paper's r_0'' = r_0 - delta, r_1'' = r_1 - delta with delta = t r_0 + (1-t) r_1 -
// c_v. (Its eq. 12 and 13 add c_v once too often: the weights of the points must sum to 1.)
inline CoreSpot foot_spot(const CoreFoot& foot) {
  return {std::min(foot.x, 0.0), std::max(foot.x, 0.0)};
}
inline CoreSpot start_spot(const CoreEdge& edge, const CoreFoot& foot) {
  const CoreSpot c = foot_spot(foot);
  return {c.before - (1 - foot.t) * edge.parent_reach, c.after - (1 - foot.t) * edge.child_reach};
}
inline CoreSpot end_spot(const CoreEdge& edge, const CoreFoot& foot) {
  const CoreSpot c = foot_spot(foot);
  return {c.before + foot.t * edge.parent_reach, c.after + foot.t * edge.child_reach};
}

// Adds weight_0 C_0 p_0 + weight_1 C_1 p_1 to the numbers of CoreSum.
inline void add_spots(double weight_0, const CoreSpot& p0, double weight_1, const CoreSpot& p1,
                      double* numbers) {
  numbers[0] += weight_1;
  numbers[1] += weight_0 * p0.before;
  numbers[2] += weight_0 * p0.after;
  numbers[3] += weight_1 * p1.before;
  numbers[4] += weight_1 * p1.after;
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
