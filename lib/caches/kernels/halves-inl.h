// Rounding of rows to half precision, in registers.

#if defined(SKINBAKE_CACHES_HALVES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_CACHES_HALVES_INL_H_
#undef SKINBAKE_CACHES_HALVES_INL_H_
#else
#define SKINBAKE_CACHES_HALVES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/half.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// to_half in integer arithmetic, without branches. Highway's DemoteTo does not round to even on
// every target. Defined for finite numbers and infinities.
template <class Floats, class Numbers = hn::Vec<Floats>>
HWY_INLINE auto halves_of(Floats d, Numbers numbers) {
  const hn::RebindToUnsigned<Floats> u;
  const auto magnitude = hn::BitCast(u, hn::Abs(numbers));
  const auto sign = hn::ShiftRight<16>(hn::Xor(hn::BitCast(u, numbers), magnitude));
  const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(u, 1));
  // Changes the exponent's bias; adding 0xfff and the lowest kept bit rounds to even.
  const auto moved = hn::Sub(hn::Add(magnitude, odd), hn::Set(u, kHalfBias - 0xfff));
  const auto normal = hn::ShiftRight<13>(moved);
  // Subnormal halves: floats just above 0.5 have the same spacing, so the addition rounds.
  const auto half = hn::Set(d, 0.5F);
  const auto small = hn::Sub(hn::BitCast(u, hn::Add(hn::Abs(numbers), half)), hn::BitCast(u, half));
  const auto finite =
      hn::IfThenElse(hn::Lt(magnitude, hn::Set(u, kSmallestNormalHalf)), small, normal);
  return hn::Or(sign, hn::Min(finite, hn::Set(u, kInfiniteHalf)));
}

inline float round_to_halves_here(const float* numbers, std::size_t count, std::uint16_t* halves) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<std::uint16_t, decltype(d)> shorts;
  const hn::RebindToSigned<hn::RebindToUnsigned<decltype(d)>> ints;
  auto largest = hn::Zero(d);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, numbers + i);
    largest = hn::Max(largest, hn::Abs(x));
    hn::StoreU(hn::DemoteTo(shorts, hn::BitCast(ints, halves_of(d, x))), shorts, halves + i);
  }
  float most = hn::GetLane(hn::MaxOfLanes(d, largest));
  for (; i < count; ++i) {
    halves[i] = to_half(numbers[i]);
    most = std::max(most, std::abs(numbers[i]));
  }
  return most < kFirstBeyondHalf ? most : std::numeric_limits<float>::infinity();
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
