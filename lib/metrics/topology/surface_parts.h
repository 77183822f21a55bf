// Parts of a surface: sets that can be joined, the direction of triangles, boundaries and holes,
// patches that are measured together, and the hinges of triangles.

#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "metrics/kernels.h"
#include "rig/surface/triangles.h"
#include "skinbake/metrics.h"
#include "skinbake/rig.h"

namespace skinbake {

// ---- Disjoint sets of integers that can be joined.

// Union by lowest index with path halving: Robert E. Tarjan, Jan van Leeuwen. Worst-case Analysis
// of Set Union Algorithms. 1984. The root of a set is its lowest member, so that results do not
// depend on the order of joining.
class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    if (parent_[a] == parent_[b]) return;  // usual for the corners of a triangle
    a = root(a);
    b = root(b);
    if (a < b) {
      parent_[b] = a;
    } else {
      parent_[a] = b;
    }
  }

  // Makes a set of i alone. Must be called for all members of a set.
  void reset(std::uint32_t i) { parent_[i] = i; }

 private:
  std::vector<std::uint32_t> parent_;
};

// ---- Makes the triangles of a surface run in consistent directions.

struct Orientation {
  std::int64_t flipped_edges = 0;  // before: edges whose two triangles run in the same direction
  std::int64_t flipped_triangles = 0;  // reversed
  std::int64_t non_orientable_patches = 0;
};

// Reverses triangles if there are flipped edges. A patch is a set of triangles that are connected
// by edges with exactly two triangles. The triangles of a patch are made to agree with its lowest
// triangle. If that would reverse more than half of them, the others are reversed instead. A patch
// that is not orientable (a Möbius strip) is not changed. Updates `edges`.
Orientation orient(std::span<const VertexIndex> welded, std::vector<Triangle>& triangles,
                   Edges& edges);

// ---- The boundary of a part of a surface, and its holes.

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

// ---- Groups triangles that are measured together.

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

// ---- Finds the hinges of a triangle: the joints that move it partly.

// The joints of a rig as a forest. A rank is a position in an order with parents before children.
struct SkinTree {
  std::vector<JointIndex> joint;    // [rank]
  std::vector<std::uint32_t> rank;  // [joint]
  // [rank] The rank of the nearest ancestor that is a joint, or kNone.
  std::vector<std::uint32_t> parent;
  static constexpr std::uint32_t kNone = ~0u;
};
SkinTree build_skin_tree(const Rig& rig);

// Finds the joints j of a triangle with 0.02 < W_j < 0.98, where W_j is the mean, over its corners,
// of the summed weight of j and its descendants.
class HingeFinder {
 public:
  explicit HingeFinder(const Rig& rig);

  // Returns joints by descending rank. The span is valid until the next call.
  std::span<const JointIndex> hinges_of(const Triangle& triangle);

 private:
  void add(std::uint32_t rank, double weight);

  const Rig& rig_;
  SkinTree tree_;
  // A priority queue of ranks, highest first: one bit per rank, and its weight.
  std::vector<std::uint64_t> waiting_;  // [rank / 64]
  std::vector<double> weight_;          // [rank] sum over the corners; valid if the bit is set
  std::vector<JointIndex> hinges_;
};

}  // namespace skinbake
