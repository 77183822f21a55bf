// How many times as long as linear blending each method takes. Written by `scripts/bench costs`;
// not to be edited.

#pragma once

#include <string_view>

namespace skinbake {

struct MethodCost {
  std::string_view id;
  double relative_to_lbs;
};

// One thread, 100 000 vertices of 4 influences, 64 joints, every parameter at its default.
inline constexpr std::string_view kCostsMeasuredOn = "AMD EPYC, AVX3";
inline constexpr MethodCost kMethodCosts[] = {
    {"lbs", 1.0},
};

}  // namespace skinbake
