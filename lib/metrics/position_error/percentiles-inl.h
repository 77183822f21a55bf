// The two vectorised loops of PercentileSelector over all distances.

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
  // Signed: more instruction sets have min and max of signed integers.
  std::int32_t lowest = INT32_MAX, highest = 0;
  for (const float d : distances) {
    const auto bits = static_cast<std::int32_t>(distance_bits(d));
    lowest = std::min(lowest, bits);
    highest = std::max(highest, bits);
  }
  return {static_cast<std::uint32_t>(lowest), static_cast<std::uint32_t>(highest)};
}

inline void bin_members(std::span<const float> distances, const std::array<std::uint32_t, 3>& bins,
                        float* out) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> floats;
  const hn::RebindToUnsigned<decltype(floats)> words;
  const std::size_t lanes = hn::Lanes(floats);
  const auto sign = hn::Set(words, 0x80000000u);
  const auto low = hn::Set(words, bins[0]), middle = hn::Set(words, bins[1]);
  const auto high = hn::Set(words, bins[2]);
  std::size_t i = 0;
  for (; i + lanes <= distances.size(); i += lanes) {
    const auto d = hn::LoadU(floats, distances.data() + i);
    const auto bin = hn::ShiftRight<16>(hn::AndNot(sign, hn::BitCast(words, d)));
    const auto found = hn::Or(hn::Or(hn::Eq(bin, low), hn::Eq(bin, middle)), hn::Eq(bin, high));
    if (hn::AllFalse(words, found)) continue;
    // Compress followed by a store: CompressStore is slow on some processors.
    const auto members = hn::Compress(hn::BitCast(words, d), found);
    hn::StoreU(hn::BitCast(floats, members), floats, out);
    out += hn::CountTrue(words, found);
  }
  for (; i < distances.size(); ++i) {
    const std::uint32_t bin = distance_bin(distances[i]);
    if (bin == bins[0] || bin == bins[1] || bin == bins[2]) *out++ = distances[i];
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
