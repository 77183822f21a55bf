// What the drawings of a page share: coordinates of values, and columns of long series.

#pragma once

#include <cstdint>
#include <string>

namespace skinbake {

// One decimal: a tenth of a drawing's unit is not visible.
std::string coordinate(double value);

// Whether a value can be drawn: an untrusted report may contain any number.
bool is_drawable(double value);

// Positions of a long series that share a column of the drawing, `last` excluded.
struct Bucket {
  std::int64_t first = 0, last = 0;
};
Bucket bucket(std::int64_t index, std::int64_t buckets, std::int64_t count);

}  // namespace skinbake
