#include "metrics/topology/orientation.h"

#include <algorithm>
#include <utility>

namespace skinbake {
namespace {

enum Action : std::uint8_t { kUnknown, kKeep, kReverse };

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

// Finds the triangles of the patch of `first` and sets the action that makes each agree with
// `first`. Returns false if the patch is not orientable.
bool orient_patch(const Surface& surface, std::uint32_t first, std::vector<Action>& action,
                  std::vector<std::uint32_t>& patch) {
  bool consistent = true;
  patch.assign(1, first);
  action[first] = kKeep;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    const std::uint32_t t = patch[i];
    for (HalfEdge h = 3 * t; h < 3 * t + 3; ++h) {
      const std::uint32_t edge = surface.edges.edge_of[h];
      if (surface.edges.uses[edge] != 2) continue;
      const auto [a, b] = surface.edges.sides[edge];
      const std::uint32_t other = (a == h ? b : a) / 3;
      const Action opposite = action[t] == kKeep ? kReverse : kKeep;
      const Action required = surface.is_flipped(edge) ? opposite : action[t];
      if (action[other] == kUnknown) {
        action[other] = required;
        patch.push_back(other);
      } else if (action[other] != required) {
        consistent = false;
      }
    }
  }
  return consistent;
}

// Swaps the last two corners of a triangle, which exchanges its sides 0 and 2.
void reverse_triangle(std::uint32_t t, std::vector<Triangle>& triangles, Edges& edges) {
  std::swap(triangles[t][1], triangles[t][2]);
  std::swap(edges.edge_of[3 * t], edges.edge_of[3 * t + 2]);
  for (const HalfEdge h : {3 * t, 3 * t + 2}) {
    for (HalfEdge& side : edges.sides[edges.edge_of[h]]) {
      // An edge has only one of the sides 0 and 2 of the triangle.
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

  std::vector<Action> action(triangles.size(), kUnknown);
  std::vector<std::uint32_t> patch, reversed;
  for (std::uint32_t first = 0; first < triangles.size(); ++first) {
    if (action[first] != kUnknown) continue;
    if (!orient_patch(surface, first, action, patch)) {
      ++result.non_orientable_patches;
      continue;
    }
    const auto reversals = std::count_if(patch.begin(), patch.end(),
                                         [&](std::uint32_t t) { return action[t] == kReverse; });
    const bool keep_majority = 2 * static_cast<std::size_t>(reversals) > patch.size();
    for (const std::uint32_t t : patch) {
      if (action[t] == (keep_majority ? kKeep : kReverse)) reversed.push_back(t);
    }
  }
  // Reversed at the end, because orient_patch uses the original directions.
  for (const std::uint32_t t : reversed) reverse_triangle(t, triangles, edges);
  result.flipped_triangles = static_cast<std::int64_t>(reversed.size());
  return result;
}

}  // namespace skinbake
