// Core line on a Bezier curve, `sbs++`.
//
//     gamma = t^2 C_0 r_0'' + 2 t (1-t) b' + (1-t)^2 C_1 r_1''        b' = C_1 b
//
// Eq. 14 of the source, applied to the posed points. r_0'' and r_1'': core_sum-inl.h; other
// symbols, source and the form of all core-line methods: core_line.h. The formula as printed
// (faithful=1) keeps the rest pose only if both bounds are equally far from the joint.

#include "methods/core_line/core_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline void describe_core_bezier(const CoreEdge& edge, const CoreFoot& foot, double* numbers) {
  const double t = foot.t;
  add_spots(t * t, start_spot(edge, foot), (1 - t) * (1 - t), end_spot(edge, foot), numbers);
  add_spots(0, {0, 0}, 2 * t * (1 - t), {0, 0}, numbers);
}

template <class Real>
struct CoreBezier : CoreLine<Real, CoreSum, &describe_core_bezier> {
  static constexpr MethodInfo kInfo = core_info(
      {.id = "sbs++",
       .title = "core line on a Bezier curve",
       .preserves =
           "rest pose, rigid motion of all joints, distances from the core; a smooth core"});
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
