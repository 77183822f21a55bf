// Grouping triangles that are measured together.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rig/edges.h"
#include "metrics/kernels.h"
#include "skinbake/metrics.h"

namespace skinbake {

// Triangles of one component with the same hinges. `regions` of the patches hold joints, ascending,
// until there are joint regions to name.
struct Patches {
  std::vector<SurfacePatch> patches;    // by first triangle
  std::vector<std::uint32_t> patch_of;  // [triangle]
};

Patches group_triangles(const Rig& rig, std::span<const Triangle> triangles,
                        std::span<const std::uint32_t> component_of);

// Pairs triangles that follow each other in `members` and share an edge (of file vertices): those
// of a quadrilateral or a strip do.
std::vector<TrianglePair> pair_triangles(std::span<const Triangle> triangles,
                                         std::span<const std::uint32_t> members,
                                         VertexIndex origin);

}  // namespace skinbake
