// The cost of each method relative to linear blending. Written by `scripts/bench costs`; do not
// edit.

#pragma once

#include <string_view>

namespace skinbake {

struct MethodCost {
  std::string_view id;
  double relative_to_lbs;
};

// One thread, 100 000 vertices with 4 influences, 64 joints, every parameter at its default.
inline constexpr std::string_view kCostsMeasuredOn = "AMD EPYC, AVX3";
// clang-format off
inline constexpr MethodCost kMethodCosts[] = {
    {"lbs", 1.0},
    {"dqs", 2.2},
    {"dib", 13.0},
    {"sbs", 3.4},
    {"sbs-core", 12.2},
    {"sbs+", 12.1},
    {"sbs++", 12.0},
    {"sbs-ellipse", 12.8},
    {"sbs-conic", 11.2},
    {"lmb", 12.0},
    {"cor", 2.5},
    {"dm", 26.2},
    {"ddm", 13.7},
    {"jst", 14.5},
};
// clang-format on

}  // namespace skinbake
