// Samples of surfaces, and the closest points that move alike.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "compare/surface/closest_partner.h"
#include "compare/surface/closest_point.h"
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

// The vertices as points, with equal indices. A vertex that no triangle has is not on the surface:
// the last vertex before it that is on the surface stands in its place, or the first one.
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

// ---- Lips, fingers that touch and clothes on skin are several sheets of a surface at one place.
// Sheets are told apart by their direction and by their weights; on one sheet the distance decides.

namespace {

constexpr double kSixtyDegrees = 0.5;  // the cosine

// Parts of the diagonal. Points that are farther than the closest one by no more than the tolerance
// may be on another sheet.
constexpr double kTolerance = 1e-3;
// Distances that differ by less are equal: weights decide.
constexpr double kRounding = 1e-6;
// A point that faces the other way is taken if all others are farther by more than this: the inner
// side of a sheet that has one side only in the other file.
constexpr double kReach = 0.02;
// Weights on one sheet change by less than this within the tolerance.
constexpr double kOneSheet = 0.25;
// A triangle has no area if its height is this part of its longest edge: the rounding of float32.
constexpr double kNoHeight = 1e-6;

Vec3<double> unit_or_zero(const Vec3<double>& v) {
  const double length = norm(v);
  return length > 0 ? (1 / length) * v : Vec3<double>{0, 0, 0};
}

Vec3<double> area_vector(const BindSurface& surface, const std::array<VertexIndex, 3>& t) {
  const Vec3<double>& a = surface.positions[t[0]];
  return cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a);
}

bool is_zero(const Vec3<double>& v) {
  return v.x == 0 && v.y == 0 && v.z == 0;
}

}  // namespace

bool has_area(const BindSurface& surface, const std::array<VertexIndex, 3>& t) {
  double longest = 0;  // squared
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3<double> edge = surface.positions[t[(i + 1) % 3]] - surface.positions[t[i]];
    longest = std::max(longest, dot(edge, edge));
  }
  return norm(area_vector(surface, t)) > kNoHeight * longest;
}

PointNormals::PointNormals(const BindSurface& surface)
    : surface_(surface), normals_(surface.positions.size(), Vec3<double>{0, 0, 0}) {
  for (const auto& t : surface.triangles) {
    const Vec3<double> area = area_vector(surface, t);
    for (const VertexIndex v : t) normals_[v] = normals_[v] + area;
  }
  for (Vec3<double>& normal : normals_) normal = unit_or_zero(normal);
}

Vec3<double> PointNormals::of(const SurfacePoint& point) const {
  if (point.is_vertex()) return normals_[point.corners[0]];
  return unit_or_zero(area_vector(surface_, point.corners));
}

PartnerSearch::PartnerSearch(const BindSurface& surface)
    : surface_(surface),
      tree_(surface.triangles, {}, surface.positions),
      tolerance_m_(kTolerance * surface.diagonal_m),
      rounding_m_(kRounding * surface.diagonal_m),
      reach_m_(kReach * surface.diagonal_m) {
  tree_.fit(surface.positions, boxes_);
  normals_.reserve(surface.triangles.size());
  for (const auto& t : surface.triangles) {
    normals_.push_back(has_area(surface, t) ? unit_or_zero(area_vector(surface, t))
                                            : Vec3<double>{0, 0, 0});
  }
}

ClosestPoint PartnerSearch::closest_on(std::uint32_t triangle, const Vec3<double>& p) const {
  const auto& t = surface_.triangles[triangle];
  return closest_point(
      p, {surface_.positions[t[0]], surface_.positions[t[1]], surface_.positions[t[2]]});
}

// Triangles without an area, which optimisers leave, face no direction: they are lines on a surface
// that other triangles cover with other weights.
bool PartnerSearch::faces(std::uint32_t triangle, const Vec3<double>& normal) const {
  return is_zero(normal) || dot(normal, normals_[triangle]) >= kSixtyDegrees;
}

PartnerSearch::Nearest PartnerSearch::nearest(const Vec3<double>& p,
                                              const Vec3<double>& normal) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Nearest best{kInfinity, kInfinity};
  double radius = kInfinity;  // squared
  std::uint64_t visits = 0;
  tree_.visit_near(p, boxes_, radius, [&](std::uint32_t triangle) {
    ++visits;
    const double squared = closest_on(triangle, p).squared_distance;
    best.any = std::min(best.any, squared);
    if (squared < best.facing && faces(triangle, normal)) best.facing = squared;
    const double farthest = std::sqrt(best.any) + reach_m_;
    radius = std::min(best.facing, farthest * farthest);
  });
  visits_.fetch_add(visits, std::memory_order_relaxed);
  return best;
}

// Sets the candidates: the closest points of the triangles within the radius.
void PartnerSearch::gather(const Vec3<double>& p, const Vec3<double>& normal, bool facing,
                           double radius, Scratch& scratch) const {
  scratch.candidates.clear();
  const double squared_radius = radius * radius;
  std::uint64_t visits = 0;
  tree_.visit_near(p, boxes_, squared_radius, [&](std::uint32_t triangle) {
    ++visits;
    if (facing && !faces(triangle, normal)) return;
    const ClosestPoint closest = closest_on(triangle, p);
    if (closest.squared_distance > squared_radius) return;
    scratch.candidates.push_back({triangle, closest, std::sqrt(closest.squared_distance), 0});
  });
  visits_.fetch_add(visits, std::memory_order_relaxed);
}

// Of the candidates whose weights are about as near as the nearest weights, the closest; of equally
// close ones, the one with the nearest weights; then the lowest triangle.
const PartnerSearch::Scratch::Candidate& PartnerSearch::choose(Scratch& scratch) const {
  auto& all = scratch.candidates;
  double nearest_weights = 1;
  for (auto& c : all) {
    c.weight_difference = scratch.weights.of(
        surface_,
        {surface_.triangles[c.triangle],
         {static_cast<float>(c.closest.weights[0]), static_cast<float>(c.closest.weights[1]),
          static_cast<float>(c.closest.weights[2])}});
    nearest_weights = std::min(nearest_weights, c.weight_difference);
  }
  std::erase_if(all,
                [&](const auto& c) { return c.weight_difference > nearest_weights + kOneSheet; });
  const double closest = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
                           return a.distance < b.distance;
                         })->distance;
  std::erase_if(all, [&](const auto& c) { return c.distance > closest + rounding_m_; });
  return *std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(a.weight_difference, a.triangle) < std::pair(b.weight_difference, b.triangle);
  });
}

PartnerSearch::Partner PartnerSearch::partner_of(const BindSurface& of, const SurfacePoint& point,
                                                 const Vec3<double>& normal,
                                                 Scratch& scratch) const {
  const Vec3<double> p = of.position(point);
  const Nearest distances = nearest(p, normal);
  const bool faces_away = !(std::sqrt(distances.facing) <= std::sqrt(distances.any) + reach_m_);
  const double closest = std::sqrt(faces_away ? distances.any : distances.facing);
  gather(p, normal, !faces_away, (closest + tolerance_m_) * (1 + 1e-9), scratch);
  scratch.weights.set(of, point);
  const Scratch::Candidate& best = choose(scratch);
  return {snapped(surface_.triangles[best.triangle], best.closest.weights), faces_away};
}

}  // namespace skinbake
