// From values to places on a drawing. Only + - * / and square roots: the same digits everywhere.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skinbake {

// One decimal: a tenth of a unit of the drawing cannot be seen.
std::string coordinate(double value);

// Whether a value can be drawn: reports may hold any number.
bool is_drawable(double value);

struct Scale {
  double low = 0, high = 1;  // of the values
  double from = 0, to = 1;   // where they lie on the drawing
  double operator()(double value) const {
    return from + (value - low) / (high - low) * (to - from);
  }
};

// The range of what can be drawn of the values, zero included; never empty.
struct ValueRange {
  double low = 0, high = 0;
  void include(double value);
  void include(std::span<const double> values);
  void open();  // makes room around a single value
};

// Round numbers within the range, some five of them.
std::vector<double> ticks(double low, double high);

// A bucket of a long series.
struct Bucket {
  std::int64_t first = 0, last = 0;  // positions, last excluded
};
Bucket bucket(std::int64_t index, std::int64_t buckets, std::int64_t count);

}  // namespace skinbake
