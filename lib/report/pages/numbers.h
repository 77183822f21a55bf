// Numbers as people write them, for pages that people read: 0.02, 10 900, 1.5 × 10¹².

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace skinbake {

// Three digits. Thousands are apart from 10 000 on; powers of ten are of numbers that have no other
// short form.
std::string read_number(double value);

// The number with its unit, as with_unit() adds it: a ratio in %.
std::string read_with_unit(std::optional<double> value, std::string_view unit);

}  // namespace skinbake
