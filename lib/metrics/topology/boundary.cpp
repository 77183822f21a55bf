#include "metrics/topology/boundary.h"

namespace skinbake {
namespace {

constexpr std::uint32_t kNoCap = ~0u;

}  // namespace

BoundaryFinder::BoundaryFinder(std::span<const Triangle> triangles,
                               std::span<const VertexIndex> welded, const Edges& edges,
                               std::span<const VertexIndex> origins)
    : triangles_(triangles),
      welded_(welded),
      edges_(edges),
      origins_(origins),
      forward_(triangles.size(), 0),
      net_(edges.uses.size(), 0),
      groups_(welded.size()),
      cap_of_(welded.size(), kNoCap) {
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const VertexIndex a = welded[triangles[t][0]], b = welded[triangles[t][1]];
    const VertexIndex c = welded[triangles[t][2]];
    forward_[t] = static_cast<std::uint8_t>((a < b) | (b < c) << 1 | (c < a) << 2);
  }
}

void BoundaryFinder::find(Component& part) {
  const std::vector<HalfEdge> boundary = boundary_of(part.triangles);
  join(boundary);
  sort_into_caps(boundary, part);
  part.closed = boundary.empty();
  for (const HalfEdge h : boundary) cap_of_[root(h)] = kNoCap;
  for (const HalfEdge h : boundary) {
    for (const VertexIndex v : ends(triangles_, h)) groups_.reset(welded_[v]);
  }
}

// Returns |net| half-edges of each edge, in the direction of its net. Resets net_ to zero.
std::vector<HalfEdge> BoundaryFinder::boundary_of(std::span<const std::uint32_t> members) {
  for (const std::uint32_t t : members) {
    for (std::uint32_t side = 0; side < 3; ++side) {
      net_[edges_.edge_of[3 * t + side]] += direction(t, side);
    }
  }
  std::vector<HalfEdge> found;
  for (const std::uint32_t t : members) {
    for (std::uint32_t side = 0; side < 3; ++side) {
      const HalfEdge h = 3 * t + side;
      std::int32_t& net = net_[edges_.edge_of[h]];
      if (net == 0 || (net > 0) != (direction(t, side) > 0)) continue;
      net -= direction(t, side);
      found.push_back(h);
    }
  }
  return found;
}

void BoundaryFinder::join(std::span<const HalfEdge> boundary) {
  for (const HalfEdge h : boundary) {
    const auto [from, to] = ends(triangles_, h);
    groups_.join(welded_[from], welded_[to]);
  }
}

// A stable counting sort by group. Groups are in the order of their first edges.
void BoundaryFinder::sort_into_caps(std::span<const HalfEdge> boundary, Component& part) {
  for (const HalfEdge h : boundary) {
    std::uint32_t& cap = cap_of_[root(h)];
    if (cap == kNoCap) {
      cap = static_cast<std::uint32_t>(part.caps.size());
      part.caps.push_back({0, 0, origins_[h / 3]});
    }
    ++part.caps[cap].edge_count;
  }
  std::vector<std::uint32_t> next;
  std::uint32_t first = 0;
  for (Cap& cap : part.caps) {
    next.push_back(cap.first_edge = first);
    first += cap.edge_count;
  }
  part.boundary.resize(boundary.size());
  for (const HalfEdge h : boundary) part.boundary[next[cap_of_[root(h)]]++] = ends(triangles_, h);
}

}  // namespace skinbake
