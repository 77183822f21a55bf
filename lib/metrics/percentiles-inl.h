// The two loops of PercentileSelector that are plain enough for compilers to find the registers.

#if defined(SKINBAKE_METRICS_PERCENTILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_PERCENTILES_INL_H_
#undef SKINBAKE_METRICS_PERCENTILES_INL_H_
#else
#define SKINBAKE_METRICS_PERCENTILES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "metrics/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline BitRange bit_range(std::span<const float> distances) {
  std::int32_t lowest = INT32_MAX, highest = 0;  // signed: more instruction sets compare them
  for (const float d : distances) {
    const auto bits = static_cast<std::int32_t>(distance_bits(d));
    lowest = std::min(lowest, bits);
    highest = std::max(highest, bits);
  }
  return {static_cast<std::uint32_t>(lowest), static_cast<std::uint32_t>(highest)};
}

HWY_INLINE std::uint32_t is_one_of(std::uint32_t bin, const std::uint32_t* bins) {
  return static_cast<std::uint32_t>((bin == bins[0]) | (bin == bins[1]) | (bin == bins[2]));
}

inline float* copy_if_in(const float* first, const float* last, const std::uint32_t* bins,
                         float* out) {
  for (; first < last; ++first) {
    *out = *first;  // without a branch; counts only if the next is not written over it
    out += is_one_of(distance_bin(*first), bins);
  }
  return out;
}

inline void bin_members(std::span<const float> distances, const std::array<std::uint32_t, 3>& bins,
                        float* out) {
  constexpr std::size_t kGroup = 16;
  const std::uint32_t wanted[3] = {bins[0], bins[1], bins[2]};
  const float* d = distances.data();
  const float* const end = d + distances.size();
  for (; d + kGroup <= end; d += kGroup) {
    // Most groups have none, which takes a few instructions to see.
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < kGroup; ++i) any |= is_one_of(distance_bin(d[i]), wanted);
    if (any != 0) out = copy_if_in(d, d + kGroup, wanted, out);
  }
  copy_if_in(d, end, wanted, out);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
