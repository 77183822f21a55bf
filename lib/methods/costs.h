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
    {"dqs", 2.1},
    {"dib", 39.8},
    {"sbs", 3.0},
    {"sbs-core", 11.8},
    {"sbs+", 11.8},
    {"sbs++", 11.8},
    {"sbs-ellipse", 12.8},
    {"sbs-conic", 11.1},
    {"lmb", 11.1},
    {"cor", 2.3},
    {"dm", 22.2},
    {"ddm", 17.8},
    {"jst", 13.6},
};
// clang-format on

}  // namespace skinbake
