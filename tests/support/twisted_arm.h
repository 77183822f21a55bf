// An arm with a shoulder, an elbow and a wrist, and clips that turn and bend its joints by any
// number of turns.

#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "math/scalar.h"
#include "skinbake/rig.h"
#include "support/rigs.h"
#include "support/rotations.h"

namespace skinbake::test {

inline constexpr double kDegree = std::numbers::pi / 180;

// Joints "shoulder", "elbow" and "wrist" at heights 0, 1 and 2. The forearm has 9 rings of 8
// vertices with radius 0.25, which follow the elbow; another ring follows the wrist.
inline Rig arm() {
  std::vector<Node> nodes(3);
  const char* names[] = {"shoulder", "elbow", "wrist"};
  for (int j = 0; j < 3; ++j) {
    nodes[j].name = names[j];
    nodes[j].parent = j - 1;
    nodes[j].translation = {0, j == 0 ? 0.0 : 1.0, 0};
  }
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (int ring = 0; ring < 10; ++ring) {
    for (int k = 0; k < 8; ++k) {
      const double a = 45 * k * kDegree;
      points.push_back({0.25 * std::cos(a), 1 + ring / 8.0, 0.25 * std::sin(a)});
      influences.push_back({{ring < 9 ? 1u : 2u, 1.0}});
    }
  }
  points.push_back({0, 0, 0});
  influences.push_back({{0, 1}});
  return loose(points, nodes, influences);
}

// A channel with a rotation of the node at each time.
inline Channel turns(NodeIndex node, const std::vector<double>& times,
                     const std::vector<Quat<double>>& rotations,
                     Interpolation interpolation = Interpolation::kLinear) {
  std::vector<double> values;
  for (const Quat<double>& q : rotations) values.insert(values.end(), {q.x, q.y, q.z, q.w});
  return channel(node, ChannelPath::kRotation, interpolation, times, values, 4);
}

// A clip in which the node turns about y by `angle` in `duration_s` at constant speed, with a key
// at every 90 degrees.
inline Clip winding(NodeIndex node, double angle, double duration_s = 1) {
  const int keys = 1 + static_cast<int>(std::ceil(std::abs(angle) / (90 * kDegree)));
  std::vector<double> times;
  std::vector<Quat<double>> rotations;
  for (int k = 0; k <= keys; ++k) {
    times.push_back(duration_s * k / keys);
    rotations.push_back(about_y(angle * k / keys));
  }
  Clip clip;
  clip.id = "wind";
  clip.duration_s = duration_s;
  clip.channels = {turns(node, times, rotations)};
  return clip;
}

inline Rig twisted(const Rig& rig, const ShareTwist& twist) {
  const Rig* rigs[] = {&rig};
  const Modifier modifiers[] = {twist};
  return modify(rigs, modifiers, {}).front().rig;
}

}  // namespace skinbake::test
