// Dual quaternions, q = real + eps dual: rigid motions as eight numbers that can be blended
// linearly.

#if defined(SKINBAKE_MATH_DUAL_QUAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_MATH_DUAL_QUAT_INL_H_
#undef SKINBAKE_MATH_DUAL_QUAT_INL_H_
#else
#define SKINBAKE_MATH_DUAL_QUAT_INL_H_
#endif

#include "math/quat-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct DualQuat {
  Quat<Real> real, dual;
};

template <class Real>
HWY_INLINE DualQuat<Real> fma(Real s, const DualQuat<Real>& q, const DualQuat<Real>& sum) {
  return {fma(s, q.real, sum.real), fma(s, q.dual, sum.dual)};
}
template <class Real>
HWY_INLINE DualQuat<Real> operator*(Real s, const DualQuat<Real>& q) {
  return {s * q.real, s * q.dual};
}
template <class Mask, class Real>
HWY_INLINE DualQuat<Real> select(Mask which, const DualQuat<Real>& yes, const DualQuat<Real>& no) {
  return {select(which, yes.real, no.real), select(which, yes.dual, no.dual)};
}

// The unit dual quaternion of a rigid motion: dual = 1/2 (0, t) real.
template <class Real>
HWY_INLINE DualQuat<Real> to_dual_quat(const Rigid<Real>& m) {
  const Quat<Real> t{splat<Real>(0), m.translation.x, m.translation.y, m.translation.z};
  return {m.rotation, splat<Real>(0.5) * (t * m.rotation)};
}

// The rigid motion of a dual quaternion of any length. Rotation and translation are quadratic in
// the quaternion, so one division by |real|^2 replaces a square root and eight products. The
// translation is 2 (r_0 d_v - d_0 r_v + r_v x d_v) / |r|^2. The dual part of a blend of dual
// quaternions is not orthogonal to its real part; omitting the scalar part of 2 d r* projects it.
template <class Real>
HWY_INLINE Affine<Real> to_affine(const DualQuat<Real>& q) {
  const Vec3<Real> r = vector_part(q.real), d = vector_part(q.dual);
  const Real scale = splat<Real>(2) / dot(q.real, q.real);
  return to_affine(q.real, scale, scale * fma(q.real.w, d, fma(-q.dual.w, r, cross(r, d))));
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
