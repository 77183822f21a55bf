// Vectors of three numbers, quaternions, and affine maps as 3 x 4 matrices by columns.

#if defined(SKINBAKE_MATH_AFFINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_MATH_AFFINE_INL_H_
#undef SKINBAKE_MATH_AFFINE_INL_H_
#else
#define SKINBAKE_MATH_AFFINE_INL_H_
#endif

#include "math/frame_lanes-inl.h"
#include "skinbake/rig.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// ---- Vectors

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

// ---- Quaternions

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

// ---- Affine maps

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
