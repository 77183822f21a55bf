// Groups triangles that are measured together.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/kernels.h"
#include "rig/surface/edges.h"
#include "skinbake/metrics.h"

namespace skinbake {

// Patches of triangles of one component with the same hinges. SurfacePatch::regions contains
// joints, ascending, until build_topology replaces them by joint regions.
struct Patches {
  std::vector<SurfacePatch> patches;    // by first triangle
  std::vector<std::uint32_t> patch_of;  // [triangle]
};

Patches group_triangles(const Rig& rig, std::span<const Triangle> triangles,
                        std::span<const std::uint32_t> component_of);

// Pairs successive triangles of `members` that share an edge (of file vertices), as the triangles
// of a quadrilateral or of a strip do.
std::vector<TrianglePair> pair_triangles(std::span<const Triangle> triangles,
                                         std::span<const std::uint32_t> members,
                                         VertexIndex origin);

}  // namespace skinbake
