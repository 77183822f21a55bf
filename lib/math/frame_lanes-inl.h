// Lanes<T>: a SIMD register with one number for each of several successive frames, and the
// operations of a plain number. Formulas use Highway through this file only.
//
// Every function also exists for `double` and `float`, so that a formula is written once, over
// `Real`. The results have the same bits on every instruction set: each lane is one IEEE 754
// operation, and fma is fused everywhere (the scalar target calls std::fma).
//
// Lanes is an aggregate without constructors: a constructor would be compiled without the target's
// attributes and would not inline.

#if defined(SKINBAKE_MATH_FRAME_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_MATH_FRAME_LANES_INL_H_
#undef SKINBAKE_MATH_FRAME_LANES_INL_H_
#else
#define SKINBAKE_MATH_FRAME_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct Lanes {
  using Scalar = T;
  hn::Vec<hn::ScalableTag<T>> v;
};

template <class T>
struct LanesMask {
  hn::Mask<hn::ScalableTag<T>> m;
};

using FrameLanes = Lanes<float>;    // the precision of caches
using DoubleLanes = Lanes<double>;  // the reference, and long sums

// The type and the number of lanes: float -> float, 1; Lanes<float> -> float, 4 … 16.
template <class Real>
struct RealTraits {
  using Scalar = Real;
  static constexpr bool kIsPlain = true;
  static constexpr int kLanes = 1;
};
template <class T>
struct RealTraits<Lanes<T>> {
  using Scalar = T;
  static constexpr bool kIsPlain = false;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
};
template <class Real>
using Scalar = typename RealTraits<Real>::Scalar;
template <class Real>
inline constexpr int kLanes = RealTraits<Real>::kLanes;

// ---- plain numbers

HWY_INLINE double fma(double a, double b, double c) {
  return std::fma(a, b, c);
}
HWY_INLINE float fma(float a, float b, float c) {
  return std::fma(a, b, c);
}
HWY_INLINE double sqrt(double a) {
  return std::sqrt(a);
}
HWY_INLINE float sqrt(float a) {
  return std::sqrt(a);
}
HWY_INLINE double abs(double a) {
  return std::fabs(a);
}
HWY_INLINE float abs(float a) {
  return std::fabs(a);
}
HWY_INLINE double copysign(double magnitude, double sign) {
  return std::copysign(magnitude, sign);
}
HWY_INLINE float copysign(float magnitude, float sign) {
  return std::copysign(magnitude, sign);
}
HWY_INLINE bool less(double a, double b) {
  return a < b;
}
HWY_INLINE bool less(float a, float b) {
  return a < b;
}
HWY_INLINE double select(bool which, double yes, double no) {
  return which ? yes : no;
}
HWY_INLINE float select(bool which, float yes, float no) {
  return which ? yes : no;
}

HWY_INLINE bool any(bool which) {
  return which;
}

// ---- lanes

template <class T>
HWY_INLINE Lanes<T> operator+(Lanes<T> a, Lanes<T> b) {
  return {hn::Add(a.v, b.v)};
}
template <class T>
HWY_INLINE Lanes<T> operator-(Lanes<T> a, Lanes<T> b) {
  return {hn::Sub(a.v, b.v)};
}
template <class T>
HWY_INLINE Lanes<T> operator*(Lanes<T> a, Lanes<T> b) {
  return {hn::Mul(a.v, b.v)};
}
template <class T>
HWY_INLINE Lanes<T> operator/(Lanes<T> a, Lanes<T> b) {
  return {hn::Div(a.v, b.v)};
}
template <class T>
HWY_INLINE Lanes<T> operator-(Lanes<T> a) {
  // GCC folds the native operator into adjacent fused operations, but not the exclusive or of
  // hn::Neg.
  a.v.raw = -a.v.raw;
  return a;
}

// a b + c, rounded once.
template <class T>
HWY_INLINE Lanes<T> fma(Lanes<T> a, Lanes<T> b, Lanes<T> c) {
#if HWY_TARGET == HWY_SCALAR
  // Highway's MulAdd rounds twice on targets without the instruction.
  c.v.raw = std::fma(a.v.raw, b.v.raw, c.v.raw);
  return c;
#else
  return {hn::MulAdd(a.v, b.v, c.v)};
#endif
}
template <class T>
HWY_INLINE Lanes<T> sqrt(Lanes<T> a) {
  return {hn::Sqrt(a.v)};
}
template <class T>
HWY_INLINE Lanes<T> abs(Lanes<T> a) {
  return {hn::Abs(a.v)};
}
template <class T>
HWY_INLINE Lanes<T> copysign(Lanes<T> magnitude, Lanes<T> sign) {
  return {hn::CopySign(magnitude.v, sign.v)};
}
template <class T>
HWY_INLINE LanesMask<T> less(Lanes<T> a, Lanes<T> b) {
  return {hn::Lt(a.v, b.v)};
}
template <class T>
HWY_INLINE Lanes<T> select(LanesMask<T> which, Lanes<T> yes, Lanes<T> no) {
  return {hn::IfThenElse(which.m, yes.v, no.v)};
}
// Whether the mask is set in any lane. Use it only to skip work whose results all lanes would
// discard: a branch must not change a bit.
template <class T>
HWY_INLINE bool any(LanesMask<T> which) {
  return !hn::AllFalse(hn::ScalableTag<T>(), which.m);
}

// ---- both

// Expressed with `less`, because instruction sets disagree on min(0, -0) and on NaN.
template <class Real>
HWY_INLINE Real min(Real a, Real b) {
  return select(less(b, a), b, a);
}
template <class Real>
HWY_INLINE Real max(Real a, Real b) {
  return select(less(a, b), b, a);
}

// The same number in every lane, rounded to the lane's type.
template <class Real>
HWY_INLINE Real splat(double number) {
  if constexpr (RealTraits<Real>::kIsPlain) {
    return static_cast<Real>(number);
  } else {
    return {hn::Set(hn::ScalableTag<Scalar<Real>>(), static_cast<Scalar<Real>>(number))};
  }
}

// kLanes<Real> successive numbers; `from` and `to` are aligned to the register.
template <class Real>
HWY_INLINE Real load(const Scalar<Real>* from) {
  if constexpr (RealTraits<Real>::kIsPlain) {
    return *from;
  } else {
    return {hn::Load(hn::ScalableTag<Scalar<Real>>(), from)};
  }
}
template <class T>
HWY_INLINE void store(Lanes<T> lanes, T* to) {
  hn::Store(lanes.v, hn::ScalableTag<T>(), to);
}
HWY_INLINE void store(double number, double* to) {
  *to = number;
}
HWY_INLINE void store(float number, float* to) {
  *to = number;
}

// x = mantissa 2^exponent with 1 <= mantissa < 2, of positive normal doubles.
template <class Real>
struct Exponential {
  Real mantissa, exponent;
};
HWY_INLINE Exponential<double> exponential(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return {std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u),
          static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023)};
}
HWY_INLINE Exponential<DoubleLanes> exponential(DoubleLanes x) {
  const hn::ScalableTag<double> doubles;
  const hn::ScalableTag<std::uint64_t> integers;
  const auto bits = hn::BitCast(integers, x.v);
  const auto mantissa = hn::Or(hn::And(bits, hn::Set(integers, 0x000FFFFFFFFFFFFFu)),
                               hn::Set(integers, 0x3FF0000000000000u));
  // The exponent becomes the last bits of 2^52, where the unit in the last place is 1.
  const auto shifted = hn::Or(hn::ShiftRight<52>(bits), hn::Set(integers, 0x4330000000000000u));
  return {{hn::BitCast(doubles, mantissa)},
          {hn::Sub(hn::BitCast(doubles, shifted), hn::Set(doubles, 0x1p52 + 1023))}};
}

// kLanes<Real> successive floats as doubles.
template <class Real>
HWY_INLINE Real load_promoted(const float* from) {
  if constexpr (RealTraits<Real>::kIsPlain) {
    return *from;
  } else {
    const hn::ScalableTag<double> doubles;
    return {hn::PromoteTo(doubles, hn::LoadU(hn::Rebind<float, decltype(doubles)>(), from))};
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
