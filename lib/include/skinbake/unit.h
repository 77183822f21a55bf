// Units of measured numbers.

#pragma once

#include <string_view>

namespace skinbake {

enum class Unit {
  kRatio,  // a part of a whole: 0.05 is 5 %
  kMetres,
  kCubicMetres,
  kRadians,
  kNumber,  // an energy or a count: 4 is 4
};

// The unit in JSON: "1", "m", "m3", "rad", "".
std::string_view to_string(Unit unit);

}  // namespace skinbake
