// The boundary of a part of a surface, and the holes that it surrounds.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/union_find.h"
#include "rig/edges.h"
#include "skinbake/metrics.h"

namespace skinbake {

// Finds boundaries of parts of one surface, in time proportional to the part.
class BoundaryFinder {
 public:
  // `origins`: [triangle] the first vertex of its component. All must outlive the finder.
  BoundaryFinder(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
                 const Edges& edges, std::span<const VertexIndex> origins);

  // Fills boundary and caps of `part` from its triangles. Per undirected edge, net = forward minus
  // backward uses; the boundary is the directed edges with net != 0, |net| times each, grouped by
  // shared welded vertices.
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
  std::vector<std::uint8_t> forward_;  // [triangle] a bit for each side that runs forward
  std::vector<std::int32_t> net_;      // [edge] 0 between calls
  UnionFind groups_;                   // of welded vertices, each alone between calls
  std::vector<std::uint32_t> cap_of_;  // [welded vertex that is a root]
};

}  // namespace skinbake
