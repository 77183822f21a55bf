// The methods sbs-core, sbs+ and sbs++. Their curve is a weighted sum of points of the core, each
// posed by one joint of the edge,
//
//     gamma = h C_0 b + alpha_0 R_0 d_a + beta_0 R_0 d_b
//             + (1-h) C_1 b + alpha_1 R_1 d_a + beta_1 R_1 d_b
//
// whose weights depend on the vertex alone. Symbols, source and the form of all core-line methods:
// core_line.h.

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

// ---- sbs-core: the core is blended linearly. In a bent limb it passes outside the wedge between
// the two bones.
//
//     gamma = t C_0 c_v + (1-t) C_1 c_v        eq. 3 to 6 of the source

inline void describe_core_blend(const CoreEdge&, const CoreFoot& foot, double* numbers) {
  const CoreSpot c = foot_spot(foot);
  add_spots(foot.t, c, 1 - foot.t, c, numbers);
}

template <class Real>
struct CoreBlend : CoreMethod<Real, CoreSum, &describe_core_blend> {
  static constexpr MethodInfo kInfo = core_info(
      {.id = "sbs-core",
       .title = "spherical blend about the core line",
       .preserves =
           "rest pose, rigid motion of all joints, distances from the core; the core itself bulges",
       .settings = {}});
};

// ---- sbs+: with boundary points, eq. 7 to 13 of the source. s = 1 is `sbs-core`; with s = 0 and a
// linear ramp the core is a straight line from bound to bound.
//
//     gamma = s {t C_0 c_v + (1-t) C_1 c_v} + (1-s) {t C_0 r_0'' + (1-t) C_1 r_1''}

inline void describe_core_boundary(const CoreEdge& edge, const CoreFoot& foot, double* numbers) {
  const CoreSpot c = foot_spot(foot);
  const double s = edge.s, t = foot.t;
  add_spots(s * t, c, s * (1 - t), c, numbers);
  add_spots((1 - s) * t, start_spot(edge, foot), (1 - s) * (1 - t), end_spot(edge, foot), numbers);
}

template <class Real>
struct CoreBoundary : CoreMethod<Real, CoreSum, &describe_core_boundary> {
  static constexpr MethodParameter kParameters[] = {
      {.name = "s",
       .help = "share of the linear blend of the core; the rest is from bound to bound",
       .initial = 0.5,
       .lowest = 0,
       .highest = 1},
      kFaithful};
  static constexpr MethodInfo kInfo =
      core_info({.id = "sbs+",
                 .title = "core line with boundary points",
                 .preserves = "rest pose, rigid motion of all joints, distances from the "
                              "core; the core bulges a little",
                 .parameters = kParameters,
                 .settings = {}});

  static BindData bind(const BindInput& input) {
    return CoreMethod<Real, CoreSum, &describe_core_boundary>::bind_with(
        input, {input.parameters[0], input.parameters[1] != 0});
  }
};

// ---- sbs++: on a Bezier curve, eq. 14 of the source, applied to the posed points. The formula as
// printed (faithful=1) keeps the rest pose only if both bounds are equally far from the joint.
//
//     gamma = t^2 C_0 r_0'' + 2 t (1-t) b' + (1-t)^2 C_1 r_1''        b' = C_1 b

inline void describe_core_bezier(const CoreEdge& edge, const CoreFoot& foot, double* numbers) {
  const double t = foot.t;
  add_spots(t * t, start_spot(edge, foot), (1 - t) * (1 - t), end_spot(edge, foot), numbers);
  add_spots(0, {0, 0}, 2 * t * (1 - t), {0, 0}, numbers);
}

template <class Real>
struct CoreBezier : CoreMethod<Real, CoreSum, &describe_core_bezier> {
  static constexpr MethodInfo kInfo = core_info(
      {.id = "sbs++",
       .title = "core line on a Bezier curve",
       .preserves =
           "rest pose, rigid motion of all joints, distances from the core; a smooth core"});
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
