// Points as text, made by all threads and handed over in their order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "caches/box.h"

namespace skinbake {

// Shortest texts that read back the same, with ", " between two of them: "1, 0.1, -3e-05".
void append_numbers(std::string& text, std::span<const float> numbers);

// A run of the points of one row.
struct PointText {
  std::int64_t row = 0;
  bool begins_row = false, ends_row = false;
  std::string_view text;  // "(x, y, z), (x, y, z)"; between two runs the comma is missing
  Box box;
};

// Rows [row][point][axis]. `take` is called by one thread at a time, in the order of the points.
// In memory are a few runs, however long a row is.
using TakePoints = std::function<void(const PointText&)>;
void write_points(std::span<const float> rows, std::size_t points_per_row, const TakePoints& take);

}  // namespace skinbake
