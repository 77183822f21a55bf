// Ranks of measured values, which ignore rounding errors.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace skinbake {

// The rounding of float32 in volume losses, in ratios of the mesh's size and in errors in metres
// (see lib/metrics/README.md).
constexpr double kMeasuredRounding = 1e-6;

// The dense rank of each value, 0 for the smallest. A value has the rank of the smallest value that
// it exceeds by no more than `rounding`. NaN ranks like infinity.
inline std::vector<double> dense_ranks(std::vector<double> values, double rounding) {
  for (double& value : values) {
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
  }
  std::vector<double> starts = values;  // the smallest value of each rank
  std::sort(starts.begin(), starts.end());
  std::size_t count = 0;
  for (const double value : starts) {
    if (count == 0 || value - starts[count - 1] > rounding) starts[count++] = value;
  }
  starts.resize(count);
  for (double& value : values) {
    const auto above = std::upper_bound(starts.begin(), starts.end(), value);
    value = static_cast<double>(above - starts.begin() - 1);
  }
  return values;
}

}  // namespace skinbake
