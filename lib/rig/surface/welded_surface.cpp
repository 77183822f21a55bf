// Points are numbered breadth first, the neighbours of a point in the order of their degrees:
// E. Cuthill, J. McKee. Reducing the Bandwidth of Sparse Symmetric Matrices. 1969. The first point
// of each connected part is the last point of an earlier search, which is far from the middle:
// Alan George, Joseph W. H. Liu. An Implementation of a Pseudoperipheral Node Finder. 1979.

#include "rig/surface/welded_surface.h"

#include <algorithm>

#include "rig/surface/edges.h"
#include "rig/surface/weld.h"

namespace skinbake {
namespace {

// The graph of welded vertices, from which points are numbered.
struct Graph {
  std::vector<std::uint32_t> first;    // [vertex + 1]
  std::vector<VertexIndex> neighbour;  // ascending

  std::size_t degree(VertexIndex v) const { return first[v + 1] - first[v]; }
  std::span<const VertexIndex> of(VertexIndex v) const {
    return {neighbour.data() + first[v], neighbour.data() + first[v + 1]};
  }
};

std::vector<Triangle> proper_triangles(const Mesh& mesh, std::span<const VertexIndex> welded) {
  std::vector<Triangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    if (!is_degenerate(t, welded)) triangles.push_back({welded[t[0]], welded[t[1]], welded[t[2]]});
  }
  return triangles;
}

Graph graph_of(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
               const Edges& edges) {
  Graph graph;
  graph.first.assign(welded.size() + 1, 0);
  const auto for_each_edge = [&](const auto& visit) {
    for (const auto& sides : edges.sides) {
      const auto [a, b] = ends(triangles, sides[0]);
      visit(a, b);
      visit(b, a);
    }
  };
  for_each_edge([&](VertexIndex a, VertexIndex) { ++graph.first[a + 1]; });
  for (std::size_t v = 1; v < graph.first.size(); ++v) graph.first[v] += graph.first[v - 1];
  graph.neighbour.resize(graph.first.back());
  std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
  for_each_edge([&](VertexIndex a, VertexIndex b) { graph.neighbour[next[a]++] = b; });
  for (VertexIndex v = 0; v < welded.size(); ++v) {
    std::sort(graph.neighbour.begin() + graph.first[v],
              graph.neighbour.begin() + graph.first[v + 1]);
  }
  return graph;
}

// Appends the connected part of the graph that contains `start`, breadth first, and sets the marks
// of its vertices to `mark`.
void append_part(const Graph& graph, VertexIndex start, std::uint32_t mark,
                 std::vector<std::uint32_t>& marks, std::vector<VertexIndex>& order) {
  std::size_t at = order.size();
  order.push_back(start);
  marks[start] = mark;
  for (; at < order.size(); ++at) {
    const std::size_t begin = order.size();
    for (const VertexIndex n : graph.of(order[at])) {
      if (marks[n] == mark) continue;
      marks[n] = mark;
      order.push_back(n);
    }
    std::stable_sort(
        order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(),
        [&](VertexIndex a, VertexIndex b) { return graph.degree(a) < graph.degree(b); });
  }
}

// Returns every welded vertex once, with neighbours close to each other.
std::vector<VertexIndex> bandwidth_order(const Graph& graph, std::span<const VertexIndex> welded) {
  constexpr std::uint32_t kSearches = 3;  // two find an end of the part, the last gives the order
  std::vector<std::uint32_t> marks(welded.size(), 0);
  std::vector<VertexIndex> order;
  for (VertexIndex v = 0; v < welded.size(); ++v) {
    if (welded[v] != v || marks[v] != 0) continue;
    const std::size_t begin = order.size();
    VertexIndex start = v;
    for (std::uint32_t search = 1; search <= kSearches; ++search) {
      order.resize(begin);
      append_part(graph, start, search, marks, order);
      start = order.back();
    }
  }
  return order;
}

}  // namespace

WeldedSurface build_surface(const Rig& rig) {
  const std::vector<VertexIndex> welded = weld_vertices(rig, WeldBy::kFinal).welded;
  std::vector<Triangle> triangles = proper_triangles(*rig.mesh, welded);
  const Edges edges = build_edges(triangles, welded);
  const Graph graph = graph_of(triangles, welded, edges);

  WeldedSurface surface;
  surface.vertex_of = bandwidth_order(graph, welded);
  surface.point_of.resize(welded.size());
  for (PointIndex p = 0; p < surface.point_count(); ++p) {
    surface.point_of[surface.vertex_of[p]] = p;
  }
  for (VertexIndex v = 0; v < welded.size(); ++v) {
    surface.point_of[v] = surface.point_of[welded[v]];
  }
  for (Triangle& t : triangles) {
    for (VertexIndex& corner : t) corner = surface.point_of[corner];
  }
  surface.on_border.assign(surface.point_count(), 0);
  for (std::size_t e = 0; e < edges.uses.size(); ++e) {
    if (edges.uses[e] != 1) continue;
    for (const PointIndex p : ends(triangles, edges.sides[e][0])) surface.on_border[p] = 1;
  }
  surface.triangles = std::move(triangles);
  surface.first_neighbour.push_back(0);
  for (const VertexIndex v : surface.vertex_of) {
    for (const VertexIndex n : graph.of(v)) surface.neighbours.push_back(surface.point_of[n]);
    std::sort(surface.neighbours.begin() + surface.first_neighbour.back(),
              surface.neighbours.end());
    surface.first_neighbour.push_back(static_cast<std::uint32_t>(surface.neighbours.size()));
  }
  return surface;
}

}  // namespace skinbake
