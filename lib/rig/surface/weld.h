// The welded surface of a mesh: file vertices that are one point, the neighbours of points, and the
// corners that share a normal.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// ---- Welding finds file vertices that are one point of the surface.

struct Weld {
  std::vector<VertexIndex> welded;     // [vertex] the lowest vertex of the same point
  std::int64_t count = 0;              // number of points
  std::int64_t cracked_positions = 0;  // positions whose vertices have different influences
};

// The influences that must be equal for two vertices to be one point.
enum class WeldBy {
  kFile,   // before modifiers: for measurements
  kFinal,  // after modifiers: for methods
};

// Vertices are one point if their positions (-0 = 0) and their position morph deltas are equal as
// numbers, and if their weights, divided by their sum, differ by at most 1e-7.
Weld weld_vertices(const Rig& rig, WeldBy by);

// ---- Groups of triangle corners that share one geometric normal: the corners of a welded point
// whose vertices have the same normal at rest, so that hard edges stay hard. If the mesh does not
// have normals, all corners of a point form one group.

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

// ---- The welded surface of a mesh, with the neighbours of every point. Vertices that the file
// split at seams are one point. Smoothing methods operate on it.

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
