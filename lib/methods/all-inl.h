// All methods, in the order shown to users. A new method is included and listed here, and listed in
// CMakeLists.txt in the same order; otherwise a static_assert fails (README.md in this folder).

#if defined(SKINBAKE_METHODS_ALL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_ALL_INL_H_
#undef SKINBAKE_METHODS_ALL_INL_H_
#else
#define SKINBAKE_METHODS_ALL_INL_H_
#endif

#include "methods/core_line/core_arcs-inl.h"
#include "methods/core_line/core_sum-inl.h"
#include "methods/delta_mush-inl.h"
#include "methods/direct_delta_mush-inl.h"
#include "methods/linear_blend-inl.h"
#include "methods/motion_blend/dual_quaternion-inl.h"
#include "methods/motion_blend/log_blends-inl.h"
#include "methods/optimized_centers-inl.h"
#include "methods/spherical_blend-inl.h"
#include "methods/swing_twist-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <template <class> class... Methods>
struct MethodList {
  static constexpr std::size_t kCount = sizeof...(Methods);
};

using AllMethods = MethodList<LinearBlend, DualQuaternion, DualQuaternionIterative, SphericalBlend,
                              CoreBlend, CoreBoundary, CoreBezier, CoreEllipse, CoreConic,
                              LogMatrix, OptimizedCenters, DeltaMush, DirectDeltaMush, SwingTwist>;

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
