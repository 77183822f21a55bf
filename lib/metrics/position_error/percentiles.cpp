// The errors of every vertex and frame, and their percentiles.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

#include "base/containers.h"
#include "metrics/kernels.h"
#include "metrics/position_error/percentiles.h"
#include "skinbake/error.h"

namespace skinbake {

static_assert(std::endian::native == std::endian::little, "NPY stores little-endian numbers");

ErrorMatrix::ErrorMatrix(const std::string& path, std::int64_t frame_count,
                         std::int64_t vertex_count)
    : head_(npy_head({frame_count, vertex_count})),
      row_bytes_(static_cast<std::uint64_t>(vertex_count) * sizeof(float)),
      file_(path) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto frames = static_cast<std::uint64_t>(frame_count);
  if (row_bytes_ != 0 && frames > (kMost - head_.size()) / row_bytes_) {
    throw Error("CACHE_TOO_LARGE",
                std::to_string(vertex_count) + " vertices and " + std::to_string(frame_count) +
                    " frames need more bytes than a file can have",
                {path, ""});
  }
  file_.reserve(head_.size() + frames * row_bytes_);
  file_.write_at(head_.data(), head_.size(), 0);
}

void ErrorMatrix::write(std::int64_t position, std::span<const float> distances) {
  file_.write_at(distances.data(), distances.size_bytes(),
                 head_.size() + static_cast<std::uint64_t>(position) * row_bytes_);
}

// ---- Non-negative floats have the order of their upper 16 bits. A histogram over these bits gives
// the bin of a rank; the element is then selected among the few distances of that bin.

namespace {

constexpr std::uint32_t kBins = 32768;
// The bin of 0 and of distances below 1e-40 m, which are returned as 0. It often contains most
// vertices.
constexpr std::uint32_t kZeroBin = 0;
// Neighbouring vertices often share a bin, and incrementing a counter waits for its previous write.
// Therefore four histograms are filled in turn.
constexpr std::size_t kHistograms = 4;
// For fewer distances, std::nth_element on a copy is faster than a histogram.
constexpr std::size_t kFew = 512;

std::array<std::size_t, 3> ranks(std::size_t n) {
  std::array<std::size_t, 3> result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto percent = static_cast<std::size_t>(PercentileSelector::kPercents[i]);
    result[i] = std::max<std::size_t>((percent * n + 99) / 100, 1);
  }
  return result;
}

// Returns the k-th smallest, k from 1. Reorders the values.
float nth(std::vector<float>& values, std::size_t k) {
  const BitRange range = range_of_bits(values);
  // All values are equal, usually zero: std::nth_element would be slow.
  if (range.lowest == range.highest) return values.front();
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

void PercentileSelector::count(std::span<const float> distances, std::uint32_t first,
                               std::uint32_t last) {
  histograms_.resize(kHistograms * kBins);
  std::uint32_t* const bins = histograms_.data();
  for (std::size_t h = 0; h < kHistograms; ++h) {
    std::fill(bins + h * kBins + first, bins + h * kBins + last + 1, 0u);
  }
  const std::size_t whole = distances.size() / kHistograms * kHistograms;
  for (std::size_t i = 0; i < whole; i += kHistograms) {
    for (std::size_t h = 0; h < kHistograms; ++h)
      ++bins[h * kBins + distance_bin(distances[i + h])];
  }
  for (std::size_t i = whole; i < distances.size(); ++i) ++bins[distance_bin(distances[i])];
}

std::size_t PercentileSelector::size_of(std::uint32_t bin) const {
  std::size_t size = 0;
  for (std::size_t h = 0; h < kHistograms; ++h) size += histograms_[h * kBins + bin];
  return size;
}

void PercentileSelector::collect(std::span<const float> distances,
                                 const std::array<Found, 3>& found) {
  std::size_t size = 0;
  std::array<std::uint32_t, 3> bins;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    bins[i] = found[i].bin == kZeroBin ? kBins : found[i].bin;  // zeros are not collected
    const bool is_new = i == 0 || found[i].bin != found[i - 1].bin;
    if (is_new && bins[i] != kBins) size += size_of(bins[i]);
  }
  candidates_.resize(size + kCollectSlack);
  collect_bins(distances, bins, candidates_.data());
  candidates_.resize(size);
}

float PercentileSelector::nth_in(const Found& found, std::size_t k) {
  if (found.bin == kZeroBin) return 0;
  picked_.clear();
  for (const float d : candidates_) {
    if (distance_bin(d) == found.bin) picked_.push_back(d);
  }
  return nth(picked_, k - found.below);
}

std::array<float, 3> PercentileSelector::select(std::span<const float> distances) {
  const std::array<std::size_t, 3> k = ranks(distances.size());
  std::array<float, 3> result;
  if (distances.size() < kFew) {
    picked_.assign(distances.begin(), distances.end());
    for (std::size_t i = 0; i < k.size(); ++i) result[i] = nth(picked_, k[i]);
    return result;
  }
  const BitRange range = range_of_bits(distances);
  if (range.lowest == range.highest) {
    result.fill(distances.front());
    return result;
  }
  count(distances, range.lowest >> 16, range.highest >> 16);
  std::array<Found, 3> found;
  Found at{range.lowest >> 16, 0};
  for (std::size_t i = 0; i < k.size(); ++i) {
    for (; at.below + size_of(at.bin) < k[i]; ++at.bin) at.below += size_of(at.bin);
    found[i] = at;
  }
  collect(distances, found);
  for (std::size_t i = 0; i < k.size(); ++i) result[i] = nth_in(found[i], k[i]);
  return result;
}

}  // namespace skinbake
