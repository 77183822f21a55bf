// Which corners of triangles make one normal: those of a welded point whose file vertices have the
// same normal at rest, so that hard edges stay hard. Where a mesh has no normals, all of a point's.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// A triangle, and the groups of corners that its own are summed with.
struct CornerTriangle {
  std::array<VertexIndex, 3> corners{};
  std::array<std::uint32_t, 3> groups{};
};

// A vertex, the group of its corners, and the joint that moves most of it.
struct CornerVertex {
  VertexIndex vertex = 0;
  std::uint32_t group = 0;
  std::uint32_t joint = 0;
};

struct CornerGroups {
  std::vector<CornerTriangle> triangles;
  std::vector<CornerVertex> vertices;  // those with triangles
  std::size_t count = 0;
};

// `welded`: [vertex] its representative.
CornerGroups group_corners(const Rig& rig, std::span<const VertexIndex> welded,
                           std::span<const std::array<VertexIndex, 3>> triangles);

}  // namespace skinbake
