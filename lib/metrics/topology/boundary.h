// The boundary of a part of a surface, and its holes.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/topology/union_find.h"
#include "rig/surface/edges.h"
#include "skinbake/metrics.h"

namespace skinbake {

// Finds the boundaries of parts of one surface. Each takes time proportional to the size of the
// part.
class BoundaryFinder {
 public:
  // `origins`: [triangle] first vertex of its component. All arguments must outlive the finder.
  BoundaryFinder(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
                 const Edges& edges, std::span<const VertexIndex> origins);

  // Fills boundary, caps and closed of `part` from its triangles. The net of an undirected edge is
  // its forward minus its backward uses. The boundary is the directed edges with net != 0, |net|
  // times each, grouped by shared welded vertices.
  void find(Component& part);

 private:
  int direction(std::uint32_t triangle, std::uint32_t side) const {
    return (forward_[triangle] >> side & 1) != 0 ? 1 : -1;
  }
  std::vector<HalfEdge> boundary_of(std::span<const std::uint32_t> members);
  void join(std::span<const HalfEdge> boundary);
  std::uint32_t root(HalfEdge h) { return groups_.root(welded_[ends(triangles_, h)[0]]); }
  void sort_into_caps(std::span<const HalfEdge> boundary, Component& part);

  std::span<const Triangle> triangles_;
  std::span<const VertexIndex> welded_;
  const Edges& edges_;
  std::span<const VertexIndex> origins_;
  std::vector<std::uint8_t> forward_;  // [triangle] bit k: side k runs from low to high vertex
  std::vector<std::int32_t> net_;      // [edge] 0 between calls
  UnionFind groups_;                   // of welded vertices; singletons between calls
  std::vector<std::uint32_t> cap_of_;  // [root of a group]; kNoCap between calls
};

}  // namespace skinbake
