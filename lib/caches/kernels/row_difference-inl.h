// The difference of two rows of vectors, in registers: three registers hold as many whole vectors
// as a register has lanes.

#if defined(SKINBAKE_CACHES_ROW_DIFFERENCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_CACHES_ROW_DIFFERENCE_INL_H_
#undef SKINBAKE_CACHES_ROW_DIFFERENCE_INL_H_
#else
#define SKINBAKE_CACHES_ROW_DIFFERENCE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>

#include "caches/kernels/kernels.h"
#include "math/frame_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// bits: [vector][axis]. Returns the number of vectors that have a bit set.
inline std::size_t count_vectors(std::uint64_t bits) {
  constexpr std::uint64_t kFirstOfThree = 0x1249249249249249;
  return static_cast<std::size_t>(std::popcount((bits | bits >> 1 | bits >> 2) & kFirstOfThree));
}

inline RowDifference subtract_row_here(const float* base, float* row, std::size_t vectors) {
  const hn::CappedTag<float, 16> d;
  constexpr std::size_t kMaxNumbers = 3 * hn::MaxLanes(d);
  const std::size_t lanes = hn::Lanes(d), count = 3 * vectors;
  RowDifference result;
  alignas(64) float low[kMaxNumbers], high[kMaxNumbers];
  std::fill_n(low, kMaxNumbers, result.bounds.min[0]);
  std::fill_n(high, kMaxNumbers, result.bounds.max[0]);
  std::size_t i = 0;
  for (; i + 3 * lanes <= count; i += 3 * lanes) {
    std::uint64_t moved = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t n = i + k * lanes;
      const auto x = hn::Sub(hn::LoadU(d, row + n), hn::LoadU(d, base + n));
      hn::StoreU(x, d, row + n);
      hn::Store(hn::Min(hn::Load(d, low + k * lanes), x), d, low + k * lanes);
      hn::Store(hn::Max(hn::Load(d, high + k * lanes), x), d, high + k * lanes);
      alignas(8) std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, hn::Ne(x, hn::Zero(d)), bits);
      moved |= (bits[0] | std::uint64_t{bits[1]} << 8) << (k * lanes);
    }
    result.moved += count_vectors(moved);
  }
  for (std::size_t n = 0; n < i && n < 3 * lanes; ++n) {
    result.bounds.add(n % 3, low[n]);
    result.bounds.add(n % 3, high[n]);
  }
  for (; i < count; i += 3) {
    bool moves = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      row[i + axis] -= base[i + axis];
      result.bounds.add(axis, row[i + axis]);
      moves |= row[i + axis] != 0;
    }
    result.moved += moves ? 1 : 0;
  }
  return result;
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
