#include "metrics/orientation.h"

#include <algorithm>
#include <utility>

namespace skinbake {
namespace {

enum Turn : std::uint8_t { kUnknown, kKeep, kTurn };

struct Surface {
  std::span<const VertexIndex> welded;
  std::span<const Triangle> triangles;
  const Edges& edges;

  bool is_flipped(std::size_t edge) const {
    const auto [a, b] = edges.sides[edge];
    return edges.uses[edge] == 2 &&
           runs_forward(triangles, welded, a) == runs_forward(triangles, welded, b);
  }
};

// The triangles of the patch of `first`, each with its `turn` set so that it agrees with `first`.
// Returns false if that cannot be.
bool colour_patch(const Surface& surface, std::uint32_t first, std::vector<Turn>& turn,
                  std::vector<std::uint32_t>& patch) {
  bool consistent = true;
  patch.assign(1, first);
  turn[first] = kKeep;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    const std::uint32_t t = patch[i];
    for (HalfEdge h = 3 * t; h < 3 * t + 3; ++h) {
      const std::uint32_t edge = surface.edges.edge_of[h];
      if (surface.edges.uses[edge] != 2) continue;
      const auto [a, b] = surface.edges.sides[edge];
      const std::uint32_t other = (a == h ? b : a) / 3;
      const Turn opposite = turn[t] == kKeep ? kTurn : kKeep;
      const Turn wanted = surface.is_flipped(edge) ? opposite : turn[t];
      if (turn[other] == kUnknown) {
        turn[other] = wanted;
        patch.push_back(other);
      } else if (turn[other] != wanted) {
        consistent = false;
      }
    }
  }
  return consistent;
}

// After swapping its last two corners a triangle has its sides in the other order.
void turn_triangle(std::uint32_t t, std::vector<Triangle>& triangles, Edges& edges) {
  std::swap(triangles[t][1], triangles[t][2]);
  std::swap(edges.edge_of[3 * t], edges.edge_of[3 * t + 2]);
  for (const HalfEdge h : {3 * t, 3 * t + 2}) {
    for (HalfEdge& side : edges.sides[edges.edge_of[h]]) {
      // Sides 0 and 2 of the triangle have traded places; an edge has only one of them.
      if (side / 3 == t) side = h;
    }
  }
}

}  // namespace

Orientation orient(std::span<const VertexIndex> welded, std::vector<Triangle>& triangles,
                   Edges& edges) {
  Orientation result;
  const Surface surface{welded, triangles, edges};
  for (std::size_t e = 0; e < edges.uses.size(); ++e) result.flipped_edges += surface.is_flipped(e);
  if (result.flipped_edges == 0) return result;

  std::vector<Turn> turn(triangles.size(), kUnknown);
  std::vector<std::uint32_t> patch, turned;
  for (std::uint32_t first = 0; first < triangles.size(); ++first) {
    if (turn[first] != kUnknown) continue;
    if (!colour_patch(surface, first, turn, patch)) {
      ++result.non_orientable_patches;
      continue;
    }
    const auto turns = std::count_if(patch.begin(), patch.end(),
                                     [&](std::uint32_t t) { return turn[t] == kTurn; });
    const bool turn_back = 2 * static_cast<std::size_t>(turns) > patch.size();
    for (const std::uint32_t t : patch) {
      if (turn[t] == (turn_back ? kKeep : kTurn)) turned.push_back(t);
    }
  }
  // Only now: the colouring asks for the directions that the file has.
  for (const std::uint32_t t : turned) turn_triangle(t, triangles, edges);
  result.flipped_triangles = static_cast<std::int64_t>(turned.size());
  return result;
}

}  // namespace skinbake
