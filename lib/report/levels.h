// Values that are to be ranked, without what is rounding of them.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace skinbake {

// Loss and gain of volume below this, a part of the mesh's size and metres of an error are
// float32's rounding (metrics' README).
constexpr double kMeasuredRounding = 1e-6;

// The level of each value, the smallest 0: those that are no more than `rounding` above the
// smallest of a level are equal. Not a number is as bad as infinity.
inline std::vector<double> levels_of(std::vector<double> values, double rounding) {
  for (double& value : values) {
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
  }
  std::vector<double> starts = values;
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
