// The welded surface of a mesh, with the neighbours of every point. Vertices that the file split at
// seams are one point. Smoothing methods operate on it.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

using PointIndex = std::uint32_t;

// Neighbouring points have nearby numbers. A vertex without triangles is a point without
// neighbours.
struct WeldedSurface {
  std::vector<PointIndex> point_of;                  // [vertex]
  std::vector<VertexIndex> vertex_of;                // [point] the lowest of its vertices
  std::vector<std::array<PointIndex, 3>> triangles;  // file order, without degenerate triangles
  std::vector<std::uint32_t> first_neighbour;        // [point + 1]
  std::vector<PointIndex> neighbours;                // ascending for each point, without repetition
  std::vector<std::uint8_t> on_border;  // [point] 1: it is the end of an edge of one triangle only

  std::size_t point_count() const { return vertex_of.size(); }
  std::span<const PointIndex> neighbours_of(PointIndex p) const {
    return {neighbours.data() + first_neighbour[p], neighbours.data() + first_neighbour[p + 1]};
  }
};

// Welds by final weights (WeldBy::kFinal).
WeldedSurface build_surface(const Rig& rig);

}  // namespace skinbake
