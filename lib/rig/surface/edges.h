// The edges of a triangle mesh: which triangles share an edge, and in which direction each of them
// runs along it.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

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

}  // namespace skinbake
