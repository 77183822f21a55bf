// Which triangles share an edge, and which way round each of them runs along it.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

using Triangle = std::array<VertexIndex, 3>;  // file vertices
using HalfEdge = std::uint32_t;               // 3 t + k: triangle t's side from corner k to k + 1

// The undirected edges of a surface, between welded vertices.
struct Edges {
  std::vector<std::uint32_t> edge_of;          // [half-edge]
  std::vector<std::uint32_t> uses;             // [edge] triangles
  std::vector<std::array<HalfEdge, 2>> sides;  // [edge] its first two half-edges
};

// Edges are numbered by their lower and then by their higher vertex.
// Constraint: no triangle has two equal welded corners.
Edges build_edges(std::span<const Triangle> triangles, std::span<const VertexIndex> welded);

// Where the half-edge starts and ends: file vertices.
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
