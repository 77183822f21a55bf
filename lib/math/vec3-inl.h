// Vectors of three numbers.

#if defined(SKINBAKE_MATH_VEC3_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_MATH_VEC3_INL_H_
#undef SKINBAKE_MATH_VEC3_INL_H_
#else
#define SKINBAKE_MATH_VEC3_INL_H_
#endif

#include "math/frame_lanes-inl.h"
#include "skinbake/transform.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
HWY_INLINE Vec3<Real> operator+(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
HWY_INLINE Vec3<Real> operator-(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
HWY_INLINE Vec3<Real> operator-(const Vec3<Real>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class Real>
HWY_INLINE Vec3<Real> operator*(Real s, const Vec3<Real>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
// s a + b.
template <class Real>
HWY_INLINE Vec3<Real> fma(Real s, const Vec3<Real>& a, const Vec3<Real>& b) {
  return {fma(s, a.x, b.x), fma(s, a.y, b.y), fma(s, a.z, b.z)};
}
template <class Real>
HWY_INLINE Real dot(const Vec3<Real>& a, const Vec3<Real>& b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}
template <class Real>
HWY_INLINE Vec3<Real> cross(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}
template <class Mask, class Real>
HWY_INLINE Vec3<Real> select(Mask which, const Vec3<Real>& yes, const Vec3<Real>& no) {
  return {select(which, yes.x, no.x), select(which, yes.y, no.y), select(which, yes.z, no.z)};
}
template <class Real>
HWY_INLINE Real norm(const Vec3<Real>& a) {
  return sqrt(dot(a, a));
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
