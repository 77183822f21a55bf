// Quaternions.

#if defined(SKINBAKE_MATH_QUAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_MATH_QUAT_INL_H_
#undef SKINBAKE_MATH_QUAT_INL_H_
#else
#define SKINBAKE_MATH_QUAT_INL_H_
#endif

#include "math/affine-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
HWY_INLINE Quat<Real> operator*(Real s, const Quat<Real>& q) {
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}
template <class Real>
HWY_INLINE Quat<Real> operator+(const Quat<Real>& a, const Quat<Real>& b) {
  return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
HWY_INLINE Quat<Real> operator-(const Quat<Real>& a, const Quat<Real>& b) {
  return {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
HWY_INLINE Quat<Real> fma(Real s, const Quat<Real>& q, const Quat<Real>& sum) {
  return {fma(s, q.w, sum.w), fma(s, q.x, sum.x), fma(s, q.y, sum.y), fma(s, q.z, sum.z)};
}
template <class Real>
HWY_INLINE Real dot(const Quat<Real>& a, const Quat<Real>& b) {
  return fma(a.w, b.w, fma(a.x, b.x, fma(a.y, b.y, a.z * b.z)));
}
template <class Mask, class Real>
HWY_INLINE Quat<Real> select(Mask which, const Quat<Real>& yes, const Quat<Real>& no) {
  return {select(which, yes.w, no.w), select(which, yes.x, no.x), select(which, yes.y, no.y),
          select(which, yes.z, no.z)};
}
template <class Real>
HWY_INLINE Real norm(const Quat<Real>& q) {
  return sqrt(dot(q, q));
}
template <class Real>
HWY_INLINE Vec3<Real> vector_part(const Quat<Real>& q) {
  return {q.x, q.y, q.z};
}

// The product: b is applied first, then a.
template <class Real>
HWY_INLINE Quat<Real> operator*(const Quat<Real>& a, const Quat<Real>& b) {
  const Vec3<Real> av = vector_part(a), bv = vector_part(b);
  const Vec3<Real> v = fma(a.w, bv, fma(b.w, av, cross(av, bv)));
  return {fma(a.w, b.w, -dot(av, bv)), v.x, v.y, v.z};
}

// The affine map of a quaternion, given 2 / |q|^2, and a translation.
template <class Real>
HWY_INLINE Affine<Real> to_affine(const Quat<Real>& q, Real two_over_square,
                                  const Vec3<Real>& translation) {
  const Real one = splat<Real>(1), s = two_over_square;
  const Real x2 = s * q.x, y2 = s * q.y, z2 = s * q.z;
  const Real wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const Real xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
  return {{one - (yy + zz), fma(q.x, y2, wz), fma(q.x, z2, -wy)},
          {fma(q.x, y2, -wz), one - (xx + zz), fma(q.y, z2, wx)},
          {fma(q.x, z2, wy), fma(q.y, z2, -wx), one - (xx + yy)},
          translation};
}

// The affine map of a unit quaternion and a translation.
template <class Real>
HWY_INLINE Affine<Real> to_affine(const Quat<Real>& q, const Vec3<Real>& translation) {
  return to_affine(q, splat<Real>(2), translation);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
