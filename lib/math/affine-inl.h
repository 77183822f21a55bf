// Affine maps: 3 x 4 matrices by columns.

#if defined(SKINBAKE_MATH_AFFINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_MATH_AFFINE_INL_H_
#undef SKINBAKE_MATH_AFFINE_INL_H_
#else
#define SKINBAKE_MATH_AFFINE_INL_H_
#endif

#include "math/vec3-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// The linear part applied to a direction.
template <class Real>
HWY_INLINE Vec3<Real> rotate(const Affine<Real>& m, const Vec3<Real>& d) {
  return fma(d.x, m.x, fma(d.y, m.y, d.z * m.z));
}

// The map applied to a point.
template <class Real>
HWY_INLINE Vec3<Real> operator*(const Affine<Real>& m, const Vec3<Real>& p) {
  return fma(p.x, m.x, fma(p.y, m.y, fma(p.z, m.z, m.translation)));
}

// The composition: b is applied first, then a.
template <class Real>
HWY_INLINE Affine<Real> operator*(const Affine<Real>& a, const Affine<Real>& b) {
  return {rotate(a, b.x), rotate(a, b.y), rotate(a, b.z), a * b.translation};
}

// s m + sum, element by element.
template <class Real>
HWY_INLINE Affine<Real> fma(Real s, const Affine<Real>& m, const Affine<Real>& sum) {
  return {fma(s, m.x, sum.x), fma(s, m.y, sum.y), fma(s, m.z, sum.z),
          fma(s, m.translation, sum.translation)};
}
template <class Real>
HWY_INLINE Affine<Real> operator*(Real s, const Affine<Real>& m) {
  return {s * m.x, s * m.y, s * m.z, s * m.translation};
}

// The determinant of the linear part.
template <class Real>
HWY_INLINE Real determinant(const Affine<Real>& m) {
  return dot(m.x, cross(m.y, m.z));
}

// Transforms a normal by the linear part A: the direction of A^-T n, of unit length. Cofactors
// avoid the division: cof(A) = det(A) A^-T; the sign of the determinant keeps normals outward if A
// mirrors.
template <class Real>
HWY_INLINE Vec3<Real> transform_normal(const Affine<Real>& m, const Vec3<Real>& n) {
  const Vec3<Real> yz = cross(m.y, m.z);
  const Vec3<Real> sum = fma(n.x, yz, fma(n.y, cross(m.z, m.x), n.z * cross(m.x, m.y)));
  const Real length2 = dot(sum, sum);
  // The normal of a flattened joint is undefined: the result is zero instead of NaN.
  const Real tiny = splat<Real>(1e-37);
  // If the square overflows, the result is NaN: zero would look as if the joint were flattened.
  const Real inverse = splat<Real>(1) / sqrt(max(length2, tiny)) + (length2 - length2);
  return copysign(inverse, dot(m.x, yz)) * sum;
}

// The inverse; its elements are not finite if the linear part is singular.
template <class Real>
HWY_INLINE Affine<Real> inverse(const Affine<Real>& m) {
  const Vec3<Real> yz = cross(m.y, m.z), zx = cross(m.z, m.x), xy = cross(m.x, m.y);
  const Real scale = splat<Real>(1) / dot(m.x, yz);
  // Rows of the inverse are the cofactor columns over the determinant.
  const Affine<Real> linear{{scale * yz.x, scale * zx.x, scale * xy.x},
                            {scale * yz.y, scale * zx.y, scale * xy.y},
                            {scale * yz.z, scale * zx.z, scale * xy.z},
                            {splat<Real>(0), splat<Real>(0), splat<Real>(0)}};
  return {linear.x, linear.y, linear.z, -rotate(linear, m.translation)};
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
