// A counting sort of the half-edges by their lower vertex, followed by a sort of the few half-edges
// of each vertex by the higher vertex. The time is linear in the number of triangles, and the order
// is the same on every platform.

#include "rig/surface/edges.h"

#include <algorithm>

namespace skinbake {
namespace {

struct Entry {
  VertexIndex high;
  HalfEdge half_edge;
};

bool operator<(const Entry& a, const Entry& b) {
  return a.high != b.high ? a.high < b.high : a.half_edge < b.half_edge;
}

// Entries arrive in the order of half-edges. Most vertices have about six edges, but the centre of
// a fan can have thousands.
void sort_entries(Entry* first, Entry* last) {
  constexpr std::ptrdiff_t kFew = 24;  // above it std::sort is faster
  if (last - first > kFew) return std::sort(first, last);
  for (Entry* i = first; i < last; ++i) {
    const Entry entry = *i;
    Entry* at = i;
    for (; at > first && entry.high < at[-1].high; --at) *at = at[-1];
    *at = entry;
  }
}

template <class Visit>
void for_each_half_edge(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
                        const Visit& visit) {
  HalfEdge h = 0;
  for (const Triangle& t : triangles) {
    const VertexIndex a = welded[t[0]], b = welded[t[1]], c = welded[t[2]];
    visit(std::min(a, b), std::max(a, b), h);
    visit(std::min(b, c), std::max(b, c), h + 1);
    visit(std::min(c, a), std::max(c, a), h + 2);
    h += 3;
  }
}

}  // namespace

Edges build_edges(std::span<const Triangle> triangles, std::span<const VertexIndex> welded) {
  std::vector<std::uint32_t> start(welded.size() + 2, 0);  // [vertex + 1]; shifted while filling
  for_each_half_edge(triangles, welded,
                     [&](VertexIndex low, VertexIndex, HalfEdge) { ++start[low + 2]; });
  for (std::size_t v = 2; v < start.size(); ++v) start[v] += start[v - 1];
  std::vector<Entry> entries(triangles.size() * 3);
  for_each_half_edge(triangles, welded, [&](VertexIndex low, VertexIndex high, HalfEdge h) {
    entries[start[low + 1]++] = {high, h};
  });

  Edges edges;
  edges.edge_of.resize(entries.size());
  edges.uses.reserve(entries.size() / 2);
  edges.sides.reserve(entries.size() / 2);
  for (std::size_t v = 0; v < welded.size(); ++v) {
    Entry* const first = entries.data() + start[v];
    Entry* const last = entries.data() + start[v + 1];
    sort_entries(first, last);
    for (Entry* entry = first; entry < last; ++entry) {
      if (entry == first || entry->high != entry[-1].high) {
        edges.uses.push_back(0);
        edges.sides.push_back({entry->half_edge, entry->half_edge});
      }
      if (++edges.uses.back() == 2) edges.sides.back()[1] = entry->half_edge;
      edges.edge_of[entry->half_edge] = static_cast<std::uint32_t>(edges.uses.size() - 1);
    }
  }
  return edges;
}

}  // namespace skinbake
