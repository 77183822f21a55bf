// Triangles of a mesh: their edges, the joints of their corners, and the draw sections into which
// an engine splits them.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// ---- The edges of a triangle mesh: which triangles share an edge, and in which direction each of
// them runs along it.

using Triangle = std::array<VertexIndex, 3>;  // file vertices
using HalfEdge = std::uint32_t;  // 3 t + k: the side of triangle t from corner k to corner k + 1

// The undirected edges of a surface, between welded vertices.
struct Edges {
  std::vector<std::uint32_t> edge_of;          // [half-edge]
  std::vector<std::uint32_t> uses;             // [edge] number of triangles
  std::vector<std::array<HalfEdge, 2>> sides;  // [edge] its first two half-edges
};

// Edges are ordered by their lower vertex, then by their higher vertex.
// Precondition: no triangle is degenerate.
Edges build_edges(std::span<const Triangle> triangles, std::span<const VertexIndex> welded);

// True if two corners of the triangle are one welded point.
inline bool is_degenerate(const Triangle& t, std::span<const VertexIndex> welded) {
  const VertexIndex a = welded[t[0]], b = welded[t[1]], c = welded[t[2]];
  return a == b || b == c || c == a;
}

// The start and the end of a half-edge: file vertices.
inline std::array<VertexIndex, 2> ends(std::span<const Triangle> triangles, HalfEdge h) {
  const Triangle& t = triangles[h / 3];
  return {t[h % 3], t[(h + 1) % 3]};
}

// True if the half-edge runs from the lower to the higher welded vertex.
inline bool runs_forward(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
                         HalfEdge h) {
  const auto [from, to] = ends(triangles, h);
  return welded[from] < welded[to];
}

// ---- The joints of the corners of triangles.

// The number of joints that influence a corner of a triangle, summed over the triangles.
std::uint64_t count_triangle_joints(const Rig& rig, std::span<const Triangle> triangles);

// ---- Counts the draw sections into which an engine would split a mesh.
//
// A draw section has a table of the joints that its vertices may refer to, with a limited number of
// entries. Every primitive is split separately: each triangle, in file order, is added to the first
// open section that has room for its joints. The rule is ours, modelled on the import of engines.

// Returns nothing if a single triangle has more than `joint_limit` joints.
std::optional<std::int64_t> count_draw_sections(const Rig& rig, std::size_t joint_limit);

}  // namespace skinbake
