#include "compare/surface/match/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

#include "compare/surface/closest_point.h"
#include "compare/surface/match/closest_partner.h"
#include "math/scalar.h"

namespace skinbake {
namespace {

using Corners = std::array<VertexIndex, 3>;

constexpr double kMostParts = 1e9;  // their square is a number of points that no memory holds
constexpr double kMostPoints = 1e15;

// The parts into which a length is divided: no part is longer than the spacing.
std::uint64_t parts_of(double length, double spacing) {
  return static_cast<std::uint64_t>(std::clamp(std::ceil(length / spacing), 1.0, kMostParts));
}

struct LongEdge {
  // The edge, then the third corner of the first triangle with an area, in its direction.
  Corners corners;
  std::uint64_t parts;
  bool has_area;

  std::pair<VertexIndex, VertexIndex> ends() const { return std::minmax(corners[0], corners[1]); }
};

// The edges of more than one part, each once.
std::vector<LongEdge> long_edges(const BindSurface& surface, double spacing) {
  std::vector<LongEdge> edges;
  for (const Corners& t : surface.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Corners corners{t[i], t[(i + 1) % 3], t[(i + 2) % 3]};
      const double length = norm(surface.positions[corners[1]] - surface.positions[corners[0]]);
      if (!(length > spacing)) continue;
      edges.push_back({corners, parts_of(length, spacing), has_area(surface, t)});
    }
  }
  std::stable_sort(edges.begin(), edges.end(), [&](const LongEdge& a, const LongEdge& b) {
    return std::pair(a.ends(), !a.has_area) < std::pair(b.ends(), !b.has_area);
  });
  edges.erase(
      std::unique(edges.begin(), edges.end(),
                  [&](const LongEdge& a, const LongEdge& b) { return a.ends() == b.ends(); }),
      edges.end());
  return edges;
}

// The parts of the longest edge.
std::uint64_t parts_of(const BindSurface& surface, const Corners& t, double spacing) {
  double longest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    longest = std::max(longest, norm(surface.positions[t[(i + 1) % 3]] - surface.positions[t[i]]));
  }
  return parts_of(longest, spacing);
}

std::uint64_t inner_points(std::uint64_t parts) {
  return parts < 3 ? 0 : (parts - 1) * (parts - 2) / 2;
}

SurfacePoint grid_point(const Corners& corners, std::uint64_t i, std::uint64_t j,
                        std::uint64_t parts) {
  const auto part = [&](std::uint64_t n) {
    return static_cast<double>(n) / static_cast<double>(parts);
  };
  return snapped(corners, {part(i), part(j), part(parts - i - j)});
}

// The vertices as points. A vertex that no triangle has is not on the surface: the vertex before it
// that is stands in its place, or the first one, so that the index of a vertex is that of its
// point.
std::vector<SurfacePoint> vertices_of(const BindSurface& surface) {
  std::vector<bool> is_on(surface.positions.size(), false);
  for (const Corners& t : surface.triangles) {
    for (const VertexIndex v : t) is_on[v] = true;
  }
  const auto first = std::find(is_on.begin(), is_on.end(), true);
  auto last = static_cast<VertexIndex>(first == is_on.end() ? 0 : first - is_on.begin());
  std::vector<SurfacePoint> points;
  points.reserve(is_on.size());
  for (VertexIndex v = 0; v < is_on.size(); ++v) {
    if (is_on[v]) last = v;
    points.push_back({{last, last, last}, {1, 0, 0}});
  }
  return points;
}

}  // namespace

std::vector<SurfacePoint> sample_surface(const BindSurface& surface, double spacing_m) {
  std::vector<SurfacePoint> points = vertices_of(surface);
  const std::vector<LongEdge> edges = long_edges(surface, spacing_m);
  double count = static_cast<double>(points.size());
  for (const LongEdge& edge : edges) count += static_cast<double>(edge.parts - 1);
  for (const Corners& t : surface.triangles) {
    count += static_cast<double>(inner_points(parts_of(surface, t, spacing_m)));
  }
  if (count > kMostPoints) throw std::bad_alloc();
  points.reserve(static_cast<std::size_t>(count));
  for (const LongEdge& edge : edges) {
    for (std::uint64_t i = 1; i < edge.parts; ++i) {
      points.push_back(grid_point(edge.corners, edge.parts - i, i, edge.parts));
    }
  }
  for (const Corners& t : surface.triangles) {
    const std::uint64_t parts = parts_of(surface, t, spacing_m);
    for (std::uint64_t i = 1; i + 1 < parts; ++i) {
      for (std::uint64_t j = 1; i + j < parts; ++j) points.push_back(grid_point(t, i, j, parts));
    }
  }
  return points;
}

}  // namespace skinbake
