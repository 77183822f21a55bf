// sin, cos, atan2, log and cbrt that use only + - * / sqrt and fma. The functions of the C library
// choose their algorithm, and so their last bits, by the processor; the bytes of a cache must not
// depend on it.
//
// Double precision, `double` or DoubleLanes, unless stated otherwise. The error is at most 2 ulp
// (tests/math).
//
//   sin, cos   Cody & Waite reduction by pi/2 in three parts, then the minimax polynomials that
//              Sun's fdlibm uses (1993); |x| up to 1e5
//   atan2      quotient reduced to |t| <= 0.66, then Moshier's rational approximation
//              (Cephes, 1984)
//   log        mantissa and exponent separated, then the polynomial of fdlibm
//   cbrt       a third of the exponent's bits, then Newton steps

#if defined(SKINBAKE_MATH_ELEMENTARY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_MATH_ELEMENTARY_INL_H_
#undef SKINBAKE_MATH_ELEMENTARY_INL_H_
#else
#define SKINBAKE_MATH_ELEMENTARY_INL_H_
#endif

#include <bit>
#include <cstdint>
#include <type_traits>

#include "math/frame_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct SinCos {
  Real sin, cos;
};

// c[0] + c[1] x + … + c[N - 1] x^(N - 1).
template <class Real, std::size_t N>
HWY_INLINE Real polynomial(const double (&c)[N], Real x) {
  Real sum = splat<Real>(c[N - 1]);
  for (std::size_t i = N - 1; i-- > 0;) sum = fma(sum, x, splat<Real>(c[i]));
  return sum;
}

template <class Real>
HWY_INLINE SinCos<Real> sin_cos(Real x) {
  static_assert(std::is_same_v<Scalar<Real>, double>);
  // n = x / (pi/2), rounded: adding 1.5 * 2^52 removes the fraction.
  const Real shift = splat<Real>(0x1.8p52);
  const Real n = fma(x, splat<Real>(0x1.45f306dc9c883p-1), shift) - shift;
  // pi/2 = hi + mid - low. The difference after the first product is exact.
  const Real high = fma(n, splat<Real>(-0x1.921fb54442d18p0), x);
  const Real mid = splat<Real>(0x1.1a62633145c07p-54);
  const Real part = n * mid;
  const Real r = high - part;
  // The error of r, for a first-order correction of both polynomials: the roundings of the
  // difference (Knuth's TwoSum) and of the product, and the third part.
  const Real back = r - high;
  const Real lost = (high - (r - back)) - (part + back);
  const Real tail = fma(n, splat<Real>(0x1.f1976b7ed8fbcp-110), lost - fma(n, mid, -part));

  static constexpr double kSin[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03,
                                    -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                                    -2.50507602534068634195e-08, 1.58969099521155010221e-10};
  static constexpr double kCos[] = {4.16666666666666019037e-02, -1.38888888888741095749e-03,
                                    2.48015872894767294178e-05, -2.75573143513906633035e-07,
                                    2.08757232129817482790e-09, -1.13596475577881948265e-11};
  const Real z = r * r;
  const Real half = splat<Real>(0.5), one = splat<Real>(1);
  const Real sin_tail = fma(fma(-half, z, one), tail, (z * r) * polynomial(kSin, z));
  const Real s = r + sin_tail;
  const Real w = fma(-half, z, one);  // 1 - z/2; its rounding error is added back:
  const Real c = w + fma(z * z, polynomial(kCos, z), fma(-half, z, one - w) - r * tail);

  // Quadrant n mod 4: odd swaps sine and cosine; 2 and 3 negate the sine, 1 and 2 the cosine.
  const Real quarter = splat<Real>(0.25);
  const Real m = n - splat<Real>(4) * ((fma(n, quarter, splat<Real>(-0.375)) + shift) - shift);
  const auto odd = less(abs(abs(m - splat<Real>(2)) - one), half);
  const auto sine_negative = less(splat<Real>(1.5), m);
  const auto cosine_negative = less(abs(m - splat<Real>(1.5)), one);
  const Real swapped_sin = select(odd, c, s), swapped_cos = select(odd, s, c);
  return {select(sine_negative, -swapped_sin, swapped_sin),
          select(cosine_negative, -swapped_cos, swapped_cos)};
}

// Sine and cosine for 0 <= x <= pi/2, also for floats: polynomials through the Chebyshev nodes of
// x^2 with an error below 3e-8 before rounding.
template <class Real>
HWY_INLINE SinCos<Real> sin_cos_to_right_angle(Real x) {
  if constexpr (std::is_same_v<Scalar<Real>, double>) {
    return sin_cos(x);
  } else {
    static constexpr double kSin[] = {-0.16666665963821187, 0.008333242135096938,
                                      -0.00019822739488631103, 2.634756391811781e-06};
    static constexpr double kCos[] = {0.04166666607830638, -0.0013888812551246983,
                                      2.478608243994947e-05, -2.654606580541278e-07};
    const Real z = x * x;
    const Real cos_tail = fma(z, polynomial(kCos, z), splat<Real>(-0.5));
    return {fma(x * z, polynomial(kSin, z), x), fma(z, cos_tail, splat<Real>(1))};
  }
}

template <class Real>
HWY_INLINE Real sin(Real x) {
  return sin_cos(x).sin;
}

// The angle of the vector (x, y), -pi … pi; 0 for (0, 0).
template <class Real>
HWY_INLINE Real atan2(Real y, Real x) {
  static_assert(std::is_same_v<Scalar<Real>, double>);
  const Real ax = abs(x), ay = abs(y), one = splat<Real>(1), zero = splat<Real>(0);
  const Real small = min(ax, ay), large = max(ax, ay);
  const auto nothing = less(large, splat<Real>(0x1p-1022));
  // t = small / large, 0 … 1; above 0.66 the angle is measured from pi/4: (t - 1) / (t + 1).
  const auto far = less(splat<Real>(0.66) * large, small);
  const Real numerator = select(far, small - large, small);
  const Real denominator = select(far, small + large, large);
  const Real t = numerator / select(nothing, one, denominator);

  static constexpr double kP[] = {-6.485021904942025371773e1, -1.228866684490136173410e2,
                                  -7.500855792314704667340e1, -1.615753718733365076637e1,
                                  -8.750608600031904122785e-1};
  static constexpr double kQ[] = {1.945506571482613964425e2, 4.853903996359136964868e2,
                                  4.328810604912902668951e2, 1.650270098316988542046e2,
                                  2.485846490142306297962e1, 1.0};
  const Real z = t * t;
  const Real correction = t * (z * (polynomial(kP, z) / polynomial(kQ, z)));
  // pi/4 = its double + 3.06e-17.
  Real angle = select(far,
                      splat<Real>(0x1.921fb54442d18p-1) +
                          (t + (correction + splat<Real>(3.061616997868382943065e-17))),
                      t + correction);
  angle = select(
      less(ax, ay),
      splat<Real>(0x1.921fb54442d18p0) - (angle - splat<Real>(6.123233995736765886130e-17)), angle);
  angle = select(
      less(x, zero),
      splat<Real>(0x1.921fb54442d18p1) - (angle - splat<Real>(1.224646799147353177226e-16)), angle);
  return copysign(angle, y);
}

// The natural logarithm of positive normal numbers: x = 2^k (1 + f), with 1 + f between sqrt(1/2)
// and sqrt(2); the minimax polynomial of Sun's fdlibm (1993) in s^2, s = f / (2 + f).
template <class Real>
HWY_INLINE Real log(Real x) {
  static_assert(std::is_same_v<Scalar<Real>, double>);
  const Exponential<Real> parts = exponential(x);
  const Real one = splat<Real>(1), half = splat<Real>(0.5);
  const auto high = less(splat<Real>(1.4142135623730951), parts.mantissa);
  const Real f = select(high, half * parts.mantissa, parts.mantissa) - one;
  const Real k = select(high, parts.exponent + one, parts.exponent);
  static constexpr double kLog[] = {6.666666666666735130e-01, 3.999999999940941908e-01,
                                    2.857142874366239149e-01, 2.222219843214978396e-01,
                                    1.818357216161805012e-01, 1.531383769920937332e-01,
                                    1.479819860511658591e-01};
  const Real s = f / (splat<Real>(2) + f);
  const Real z = s * s;
  const Real square = half * f * f;
  // ln 2 in two parts: k times the first part is exact.
  const Real low = k * splat<Real>(1.90821492927058770002e-10);
  const Real tail = fma(s, fma(z, polynomial(kLog, z), square), low);
  return fma(k, splat<Real>(6.93147180369123816490e-01), f - (square - tail));
}

// The real cube root, with the sign of x.
HWY_INLINE double cbrt(double x) {
  const double a = std::fabs(x);
  if (!(a > 0) || a > 1e300) return x;  // 0, NaN, and numbers beyond any transform
  // A third of the exponent with its bias restored; the error is below 10 %.
  double root = std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) / 3 + 0x2a9f7893782da1ceULL);
  for (int step = 0; step < 5; ++step) root -= (root - a / (root * root)) / 3;
  return std::copysign(root, x);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
