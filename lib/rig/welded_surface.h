// The surface of a mesh as one sheet: vertices that the file split at seams are one point again,
// and points know their neighbours. What methods that smooth are bound to.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

using PointIndex = std::uint32_t;

// Points are numbered so that neighbours have near numbers. A vertex without triangles is a point
// without neighbours.
struct WeldedSurface {
  std::vector<PointIndex> point_of;                  // [vertex]
  std::vector<VertexIndex> vertex_of;                // [point] the lowest of its vertices
  std::vector<std::array<PointIndex, 3>> triangles;  // file order; three different points each
  std::vector<std::uint32_t> first_neighbour;        // [point + 1]
  std::vector<PointIndex> neighbours;                // ascending; each once
  std::vector<std::uint8_t> on_border;               // [point] 1: it has an edge with one triangle

  std::size_t point_count() const { return vertex_of.size(); }
  std::span<const PointIndex> neighbours_of(PointIndex p) const {
    return {neighbours.data() + first_neighbour[p], neighbours.data() + first_neighbour[p + 1]};
  }
};

// Welds by final weights (WeldBy::kFinal).
WeldedSurface build_surface(const Rig& rig);

}  // namespace skinbake
