// Rigs with normals and tangents.

#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "metrics/shapes.h"
#include "support/rigs.h"

namespace skinbake::test {

inline Rig with_normals(Rig rig, std::vector<float> normals) {
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->normals = std::move(normals);
  rig.mesh = mesh;
  return rig;
}

// The rig with other tangents, [vertex][x, y, z, w].
inline Rig with_tangents(Rig rig, std::vector<float> tangents) {
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->tangents = std::move(tangents);
  rig.mesh = mesh;
  return rig;
}

// A tube whose normals point away from its centre.
inline Rig bulging_tube(int rings = 9) {
  const Rig rig = tube({.rings = rings, .segments = 12, .joints = 3, .influences = 1});
  std::vector<float> normals;
  for (std::size_t i = 0; i < rig.mesh->positions.size(); i += 3) {
    const float* const p = rig.mesh->positions.data() + i;
    const double y = p[1] - 1, length = std::hypot(p[0], y, p[2]);
    for (const double x : {double{p[0]}, y, double{p[2]}}) {
      normals.push_back(static_cast<float>(length == 0 ? 0 : x / length));
    }
  }
  return with_normals(rig, normals);
}

// Two vertices. The joint of the second one turns by 180 degrees about x from frame 0 to frame 1.
struct HalfTurn {
  Rig rig = with_normals(loose({{1, 2, 3}, {-1, 0, 0.5}}, {Node{}, Node{}}, {{{0, 1}}, {{1, 1}}}),
                         {1, 0, 0, 0, 0, 1});
  Clip clip;

  HalfTurn() {
    clip.id = "turn";
    clip.channels = {channel(1, ChannelPath::kRotation, Interpolation::kStep, {0, 1.0 / 30},
                             {0, 0, 0, 1, 1, 0, 0, 0}, 4)};
  }
};

}  // namespace skinbake::test
