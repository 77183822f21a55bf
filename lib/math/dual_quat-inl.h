// Dual quaternions, q = real + eps dual: rigid motions as eight numbers that can be blended
// linearly; and the logarithms of rotations and rigid motions.

#if defined(SKINBAKE_MATH_DUAL_QUAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_MATH_DUAL_QUAT_INL_H_
#undef SKINBAKE_MATH_DUAL_QUAT_INL_H_
#else
#define SKINBAKE_MATH_DUAL_QUAT_INL_H_
#endif

#include <type_traits>

#include "math/affine-inl.h"
#include "math/elementary-inl.h"

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

// ---- Logarithm and exponential of rotations and rigid motions as unit (dual) quaternions:
// polynomials, without square roots, angles or special cases.
//
// With q = (w, v), w >= 0, half its angle h = 2 atan(x), t = x^2 = |v|^2 / (1 + w)^2, 0 … 1:
//
//     log q = g v,  g = h / sin h = 2 A / (1 + w)           A = atan(x) / x = 1 - t B
//     d(log q) = g dv - dw k v,  k = (1 - g w) / |v|^2       k = (A + B) / (1 + w)^2
//
// B = (x - atan x) / x^3 is analytic in t, and these forms do not cancel. The dual part of the
// logarithm of q + eps d is the differential along d. For a logarithm l with z = |l|^2 <= (pi/2)^2:
//
//     exp l = (C, S l)   S = sin h / h,  C = cos h = S + z D,  D = (C - S) / z
//     d(exp l) = (-S (l . dl), S dl + D (l . dl) l)
//
// Logarithms contain half the angle and half the translation, as quaternions do.

// log q = turn + eps shift.
template <class Real>
struct MotionLog {
  Vec3<Real> turn, shift;
};

template <class Real>
HWY_INLINE MotionLog<Real> operator*(Real s, const MotionLog<Real>& a) {
  return {s * a.turn, s * a.shift};
}
template <class Real>
HWY_INLINE MotionLog<Real> fma(Real s, const MotionLog<Real>& a, const MotionLog<Real>& sum) {
  return {fma(s, a.turn, sum.turn), fma(s, a.shift, sum.shift)};
}

// B above, interpolated at the Chebyshev nodes; the error is below 2e-8 for float, 1e-17 for
// double.
template <class Real>
HWY_INLINE Real atan_remainder(Real t) {
  if constexpr (std::is_same_v<Scalar<Real>, float>) {
    static constexpr double kB[] = {
        3.33333317330635204e-01,  -1.99997393298355808e-01, 1.42785687482106016e-01,
        -1.10337641153134547e-01, 8.65688043015452185e-02,  -6.25016944474956343e-02,
        3.58715389820433578e-02,  -1.35077714270205353e-02, 2.38699731672411316e-03};
    return polynomial(kB, t);
  } else {
    static constexpr double kB[] = {
        3.33333333333333315e-01,  -1.99999999999995542e-01, 1.42857142856484043e-01,
        -1.11111111072347987e-01, 9.09090896955740274e-02,  -7.69230535467865517e-02,
        6.66663643577769249e-02,  -5.88207495637129429e-02, 5.26126573570945416e-02,
        -4.75208677357665601e-02, 4.30811965533047098e-02,  -3.87264021404263234e-02,
        3.37501320016197343e-02,  -2.75679422973446782e-02, 2.02387069863935141e-02,
        -1.27561729076942978e-02, 6.57568334415169903e-03,  -2.62297789190608921e-03,
        7.51847252697382157e-04,  -1.36872485314812196e-04, 1.18325054175556920e-05};
    return polynomial(kB, t);
  }
}

// The first kCount terms of sin h / h (kFirst 0) or (cos h - sin h / h) / h^2 (kFirst 1) in h^2.
template <std::size_t kCount>
struct Series {
  double c[kCount];
};
template <std::size_t kCount, int kFirst>
constexpr Series<kCount> sine_series() {
  Series<kCount> series{};
  double factorial = 1;  // (2 n + 1)!
  for (std::size_t i = 0; i < kCount + kFirst; ++i) {
    const double n = static_cast<double>(i);
    if (i > 0) factorial *= 2 * n * (2 * n + 1);
    if (i < kFirst) continue;
    const double term = (kFirst == 0 ? 1 : 2 * n) / factorial;
    series.c[i - kFirst] = i % 2 == 0 ? term : -term;
  }
  return series;
}

template <class Real>
struct ExpFactors {
  Real cosine, s, d;  // C, S, D above
};
template <class Real>
HWY_INLINE ExpFactors<Real> exp_factors(Real z) {
  // The omitted terms are below 1e-9 for float and 1e-18 for double up to z = (pi/2)^2.
  constexpr std::size_t kTerms = std::is_same_v<Scalar<Real>, float> ? 7 : 12;
  static constexpr Series<kTerms> kS = sine_series<kTerms, 0>();
  static constexpr Series<kTerms> kD = sine_series<kTerms, 1>();
  const Real s = polynomial(kS.c, z), d = polynomial(kD.c, z);
  return {fma(z, d, s), s, d};
}

// The logarithm of a unit quaternion or of its negative, the one with the smaller angle: h <= pi/2.
template <class Real>
HWY_INLINE Vec3<Real> log(const Quat<Real>& q) {
  const Vec3<Real> v = vector_part(q);
  const Real inverse = splat<Real>(1) / (splat<Real>(1) + abs(q.w));
  const Real t = dot(v, v) * inverse * inverse;
  const Real a = fma(-t, atan_remainder(t), splat<Real>(1));
  return copysign((a + a) * inverse, q.w) * v;
}

template <class Real>
HWY_INLINE Quat<Real> exp(const Vec3<Real>& turn) {
  const ExpFactors<Real> f = exp_factors(dot(turn, turn));
  return {f.cosine, f.s * turn.x, f.s * turn.y, f.s * turn.z};
}

// The logarithm of a unit dual quaternion or of its negative, the one with the smaller angle.
template <class Real>
HWY_INLINE MotionLog<Real> log(const DualQuat<Real>& q) {
  const Vec3<Real> v = vector_part(q.real);
  const Real one = splat<Real>(1);
  const Real inverse = one / (one + abs(q.real.w));
  const Real t = dot(v, v) * inverse * inverse;
  const Real b = atan_remainder(t), a = fma(-t, b, one);
  const Real g = copysign((a + a) * inverse, q.real.w);
  // Negating q does not change dw k v, which is a product of two of its components.
  const Real k = (a + b) * inverse * inverse;
  return {g * v, fma(-(q.dual.w * k), v, g * vector_part(q.dual))};
}

template <class Real>
HWY_INLINE DualQuat<Real> exp(const MotionLog<Real>& l) {
  const ExpFactors<Real> f = exp_factors(dot(l.turn, l.turn));
  const Real along = dot(l.turn, l.shift);
  const Vec3<Real> v = f.s * l.turn;
  const Vec3<Real> d = fma(f.d * along, l.turn, f.s * l.shift);
  return {{f.cosine, v.x, v.y, v.z}, {-(f.s * along), d.x, d.y, d.z}};
}

// The composition: b is applied first, then a.
template <class Real>
HWY_INLINE DualQuat<Real> operator*(const DualQuat<Real>& a, const DualQuat<Real>& b) {
  return {a.real * b.real, a.real * b.dual + a.dual * b.real};
}

// The inverse of a unit dual quaternion.
template <class Real>
HWY_INLINE Quat<Real> conjugate(const Quat<Real>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class Real>
HWY_INLINE DualQuat<Real> conjugate(const DualQuat<Real>& q) {
  return {conjugate(q.real), conjugate(q.dual)};
}

// Returns a unit dual quaternion: unit length, and a dual part that is orthogonal to the real part.
template <class Real>
HWY_INLINE DualQuat<Real> normalized(const DualQuat<Real>& q) {
  const Real inverse = splat<Real>(1) / norm(q.real);
  const Quat<Real> r = inverse * q.real, d = inverse * q.dual;
  return {r, fma(-dot(r, d), r, d)};
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
