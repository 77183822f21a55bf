// Core line with boundary points, `sbs+`.
//
//     gamma = s {t C_0 c_v + (1-t) C_1 c_v} + (1-s) {t C_0 r_0'' + (1-t) C_1 r_1''}
//
// Eq. 7 to 13 of the source. r_0'' and r_1'': core_sum-inl.h; other symbols, source and the form of
// all core-line methods: core_line.h. s = 1 is `sbs-core`; with s = 0 and a linear ramp the core is
// a straight line from bound to bound.

#include "methods/core_line/core_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline void describe_core_boundary(const CoreEdge& edge, const CoreFoot& foot, double* numbers) {
  const CoreSpot c = foot_spot(foot);
  const double s = edge.s, t = foot.t;
  add_spots(s * t, c, s * (1 - t), c, numbers);
  add_spots((1 - s) * t, start_spot(edge, foot), (1 - s) * (1 - t), end_spot(edge, foot), numbers);
}

template <class Real>
struct CoreBoundary : CoreLine<Real, CoreSum, &describe_core_boundary> {
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
    return CoreLine<Real, CoreSum, &describe_core_boundary>::bind_with(
        input, {input.parameters[0], input.parameters[1] != 0});
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
