#include "report/chart_scale.h"

#include <charconv>
#include <cmath>

namespace skinbake {

std::string coordinate(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 1).ptr;
  std::string digits(text, end);
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return digits == "-0" ? "0" : digits;
}

bool is_drawable(double value) {
  constexpr double kLargest = 1e30;  // differences and products stay finite
  return value >= -kLargest && value <= kLargest;
}

void ValueRange::include(double value) {
  if (!is_drawable(value)) return;
  if (value < low) low = value;
  if (value > high) high = value;
}

void ValueRange::include(std::span<const double> values) {
  for (const double value : values) include(value);
}

void ValueRange::open() {
  constexpr double kSmallest = 1e-30;  // quotients stay finite
  if (high - low < kSmallest) high = low + 1;
}

std::vector<double> ticks(double low, double high) {
  constexpr double kCount = 5;
  const double raw = (high - low) / kCount;
  double power = 1;
  while (power > raw) power /= 10;
  while (power * 10 <= raw) power *= 10;
  const double step = raw < 2 * power ? 2 * power : raw < 5 * power ? 5 * power : 10 * power;
  std::vector<double> all;
  for (double k = std::ceil(low / step); k * step <= high; ++k) all.push_back(k * step);
  return all;
}

Bucket bucket(std::int64_t index, std::int64_t buckets, std::int64_t count) {
  return {index * count / buckets, (index + 1) * count / buckets};
}

}  // namespace skinbake
