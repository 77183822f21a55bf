// Turning triangles that face the wrong way.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rig/edges.h"

namespace skinbake {

struct Orientation {
  std::int64_t flipped_edges = 0;      // before turning: two triangles in the same direction
  std::int64_t flipped_triangles = 0;  // turned
  std::int64_t non_orientable_patches = 0;
};

// If there are flipped edges: makes the triangles of each patch (joined by edges with exactly two
// triangles) run consistently. A patch's lowest triangle stays as it is, unless more than half
// would be turned: then the others stay. A patch that contradicts itself (a Möbius strip) is left.
// Keeps `edges` up to date.
Orientation orient(std::span<const VertexIndex> welded, std::vector<Triangle>& triangles,
                   Edges& edges);

}  // namespace skinbake
