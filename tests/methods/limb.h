// A limb of two bones whose points are its core, for the tests of core-line methods.

#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "support/random.h"
#include "support/rigs.h"

namespace skinbake::test {

inline constexpr const char* kFamily[] = {"sbs-core", "sbs+", "sbs++", "sbs-ellipse", "sbs-conic"};

// The share of the child at the height x above the joint, between -d_0 and d_1.
using Ramp = double (*)(double share);
inline double linear(double share) {
  return share;
}
inline double smoothstep(double share) {
  return share * share * (3 - 2 * share);
}

struct Line {
  double d0 = 0.5, d1 = 0.25;
  Ramp ramp = linear;
  double from = -1, to = 1;
  int points = 4097;
};

inline double height(const Line& line, int i) {
  return line.from + (line.to - line.from) * i / (line.points - 1);
}

// Two bones of length 1 on the y axis, the joint at the origin; points on the core itself.
inline Rig core_of(const Line& line) {
  std::vector<Node> nodes(3);
  nodes[0].name = "upper", nodes[1].name = "lower", nodes[2].name = "tip";
  nodes[0].translation = {0, -1, 0};
  nodes[1].translation = nodes[2].translation = {0, 1, 0};
  nodes[1].parent = 0, nodes[2].parent = 1;
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (int i = 0; i < line.points; ++i) {
    const double x = height(line, i);
    const double w = line.ramp(std::clamp((x + line.d0) / (line.d0 + line.d1), 0.0, 1.0));
    points.push_back({0, x, 0});
    std::vector<Influence> both{{0, 1 - w}, {1, w}};
    if (w > 0.5) std::swap(both[0], both[1]);
    if (both[1].weight == 0) both.pop_back();
    influences.push_back(both);
  }
  return loose(points, nodes, influences);
}

// Turns the child to the left by these degrees, one per frame.
inline Clip bend_of(const std::vector<double>& degrees) {
  std::vector<std::vector<Local>> frames;
  for (const double d : degrees) {
    const double half = d * std::numbers::pi / 360;
    frames.push_back(
        {{{0, -1, 0}}, {{0, 1, 0}, {std::cos(half), 0, 0, std::sin(half)}}, {{0, 1, 0}}});
  }
  return clip_of(frames);
}

}  // namespace skinbake::test
