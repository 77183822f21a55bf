// Text of points, made by all threads and delivered in order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "math/bounds.h"

namespace skinbake {

// Appends the shortest decimal texts that read back as the same floats: "1, 0.1, -3e-05".
void append_numbers(std::string& text, std::span<const float> numbers);

// A run of the points of one row.
struct PointText {
  std::int64_t row = 0;
  bool begins_row = false, ends_row = false;
  std::string_view text;  // "(x, y, z), (x, y, z)"; the caller separates runs
  Box box;
};

// rows: [row][point][axis]. Calls `take` for every run, one at a time, in the order of the points.
// Memory is bounded by the number of threads, not by the length of a row.
using TakePoints = std::function<void(const PointText&)>;
void write_points(std::span<const float> rows, std::size_t points_per_row, const TakePoints& take);

}  // namespace skinbake
