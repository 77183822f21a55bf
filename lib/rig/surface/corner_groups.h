// Groups of triangle corners that share one geometric normal: the corners of a welded point whose
// vertices have the same normal at rest, so that hard edges stay hard. If the mesh does not have
// normals, all corners of a point form one group.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// A triangle and the groups of its corners.
struct CornerTriangle {
  std::array<VertexIndex, 3> corners{};
  std::array<std::uint32_t, 3> groups{};
};

// A vertex, the group of its corners, and the joint with its greatest weight.
struct CornerVertex {
  VertexIndex vertex = 0;
  std::uint32_t group = 0;
  std::uint32_t joint = 0;
};

struct CornerGroups {
  std::vector<CornerTriangle> triangles;
  std::vector<CornerVertex> vertices;  // the vertices of groups that have triangles
  std::size_t count = 0;               // of groups
};

// `welded`: [vertex] the representative of its point.
CornerGroups group_corners(const Rig& rig, std::span<const VertexIndex> welded,
                           std::span<const std::array<VertexIndex, 3>> triangles);

}  // namespace skinbake
