// Percentiles of distances, without sorting.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace skinbake {

// Selects percentiles from rows of distances, reusing its memory. Not thread-safe.
class PercentileSelector {
 public:
  static constexpr std::array<int, 3> kPercents{50, 95, 99};

  // Returns the nearest-rank percentiles kPercents: the k-th smallest of n distances with
  // k = (p n + 99) div 100, at least 1.
  // Preconditions: `distances` is not empty, and no element is negative.
  std::array<float, 3> select(std::span<const float> distances);

 private:
  // The bin that contains a rank. `below`: number of distances in lower bins.
  struct Found {
    std::uint32_t bin = 0;
    std::size_t below = 0;
  };

  void count(std::span<const float> distances, std::uint32_t first, std::uint32_t last);
  std::size_t size_of(std::uint32_t bin) const;
  void collect(std::span<const float> distances, const std::array<Found, 3>& found);
  float nth_in(const Found& found, std::size_t k);

  std::vector<std::uint32_t> histograms_;  // [histogram][bin]
  std::vector<float> candidates_;          // distances in the bins of all ranks
  std::vector<float> picked_;              // distances in the bin of one rank
};

}  // namespace skinbake
