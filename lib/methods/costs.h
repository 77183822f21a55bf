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
// clang-format off
inline constexpr MethodCost kMethodCosts[] = {
    {"lbs", 1.0},
    {"dqs", 3.6},
    {"dib", 40.4},
    {"sbs", 5.1},
    {"sbs-core", 11.1},
    {"sbs+", 11.5},
    {"sbs++", 11.3},
    {"sbs-ellipse", 13.0},
    {"sbs-conic", 10.6},
    {"lmb", 12.8},
    {"cor", 4.3},
    {"dm", 22.1},
    {"ddm", 17.7},
    {"jst", 12.6},
};
// clang-format on

}  // namespace skinbake
