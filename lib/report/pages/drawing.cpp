#include "report/pages/drawing.h"

#include <charconv>

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

Bucket bucket(std::int64_t index, std::int64_t buckets, std::int64_t count) {
  return {index * count / buckets, (index + 1) * count / buckets};
}

}  // namespace skinbake
