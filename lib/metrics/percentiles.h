// Percentiles of many distances without sorting them.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace skinbake {

// Reusable memory for selecting from one row of distances after another.
class PercentileSelector {
 public:
  static constexpr std::array<int, 3> kPercents{50, 95, 99};

  // Nearest rank: for each percent p the k-th smallest, k = (p n + 99) div 100, at least 1.
  // Constraint: `distances` is not empty; none is negative.
  std::array<float, 3> select(std::span<const float> distances);

 private:
  // Where a rank is: in `bin`, with `below` distances in the bins before it.
  struct Found {
    std::uint32_t bin = 0;
    std::size_t below = 0;
  };

  void count(std::span<const float> distances, std::uint32_t first, std::uint32_t last);
  std::size_t size_of(std::uint32_t bin) const;
  void collect(std::span<const float> distances, const std::array<Found, 3>& found);
  float nth_in(const Found& found, std::size_t k);

  std::vector<std::uint32_t> histograms_;  // [histogram][bin]
  std::vector<float> candidates_;          // distances in the bins that were found
  std::vector<float> picked_;              // of one bin
};

}  // namespace skinbake
