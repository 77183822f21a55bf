// Functions that both drivers use: storing a point, and checking that points are finite.

#if defined(SKINBAKE_BAKE_LANE_CHECKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_BAKE_LANE_CHECKS_INL_H_
#undef SKINBAKE_BAKE_LANE_CHECKS_INL_H_
#else
#define SKINBAKE_BAKE_LANE_CHECKS_INL_H_
#endif

#include "math/vec3-inl.h"
#include "skinbake/frames.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
HWY_INLINE void store(const Vec3<Real>& v, Scalar<Real>* to) {
  store(v.x, to);
  store(v.y, to + kFramesPerBlock);
  store(v.z, to + 2 * kFramesPerBlock);
}

template <class Real>
HWY_INLINE Vec3<Real> load_point(const Scalar<Real>* from) {
  return {load<Real>(from), load<Real>(from + kFramesPerBlock),
          load<Real>(from + 2 * kFramesPerBlock)};
}

// Whether all points that were added are finite: x - x is 0 for a finite x and NaN otherwise, and
// NaN stays in the sum. (The check only adds, because the drivers' loops are limited by
// multiplication.)
template <class Real>
struct FiniteCheck {
  Real sum;  // set to zero by the caller: a constructor would not inline

  HWY_INLINE void add(const Vec3<Real>& p) {
    const Real total = p.x + p.y + p.z;
    sum = sum + (total - total);
  }
  HWY_INLINE bool holds() const {
    alignas(64) Scalar<Real> lanes[kLanes<Real>];
    store(sum, lanes);
    for (const Scalar<Real> lane : lanes) {
      if (lane != 0) return false;
    }
    return true;
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
