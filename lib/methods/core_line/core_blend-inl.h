// Spherical blend about the core line, `sbs-core`.
//
//     gamma = t C_0 c_v + (1-t) C_1 c_v        eq. 3 to 6 of the source
//
// Symbols, source and the form of all core-line methods: core_line.h. The core itself is blended
// linearly: in a bent limb it passes outside the wedge between the two bones.

#include "methods/core_line/core_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline void describe_core_blend(const CoreEdge&, const CoreFoot& foot, double* numbers) {
  const CoreSpot c = foot_spot(foot);
  add_spots(foot.t, c, 1 - foot.t, c, numbers);
}

template <class Real>
struct CoreBlend : CoreLine<Real, CoreSum, &describe_core_blend> {
  static constexpr MethodInfo kInfo = core_info(
      {.id = "sbs-core",
       .title = "spherical blend about the core line",
       .preserves =
           "rest pose, rigid motion of all joints, distances from the core; the core itself bulges",
       .settings = {}});
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
