// Makes the triangles of a surface run in consistent directions.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rig/surface/edges.h"

namespace skinbake {

struct Orientation {
  std::int64_t flipped_edges = 0;  // before: edges whose two triangles run in the same direction
  std::int64_t flipped_triangles = 0;  // reversed
  std::int64_t non_orientable_patches = 0;
};

// Reverses triangles if there are flipped edges. A patch is a set of triangles that are connected
// by edges with exactly two triangles. The triangles of a patch are made to agree with its lowest
// triangle, or with the reversed one if otherwise more than half of them would be reversed. A patch
// that is not orientable (a Möbius strip) is not changed. Updates `edges`.
Orientation orient(std::span<const VertexIndex> welded, std::vector<Triangle>& triangles,
                   Edges& edges);

}  // namespace skinbake
