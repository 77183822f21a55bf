// Samples of surfaces, and the closest points that move alike.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <numbers>
#include <unordered_set>
#include <utility>

#include "compare/surface/closest_partner.h"
#include "compare/surface/closest_point.h"
#include "math/scalar.h"

namespace skinbake {

namespace {

using Corners = std::array<VertexIndex, 3>;

Vec3<double> area_vector(const BindSurface& surface, const Corners& t) {
  const Vec3<double>& a = surface.positions[t[0]];
  return cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a);
}

constexpr double kMostParts = 1e9;  // their square is a number of points that no memory holds
// Points that would be looked at before most of them are left out: minutes.
constexpr double kMostPoints = 4e9;

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

// The rows of points inside a triangle, parallel to its longest edge. A triangle of equal sides has
// the grid that divides every side into as many parts; a needle has no row.
struct Rows {
  std::size_t edge = 0;     // the corner at which the longest edge begins
  std::uint64_t parts = 1;  // of the longest edge
  std::uint64_t count = 1;  // the rows with the edge and without the corner

  // The parts of a row: at most the spacing.
  std::uint64_t parts_of_row(std::uint64_t row) const {
    return (parts * (count - row) + count - 1) / count;
  }
  // Not below the points of all rows.
  double points() const { return static_cast<double>(parts) * static_cast<double>(count - 1); }
};

Rows rows_of(const BindSurface& surface, const Corners& t, double spacing) {
  Rows rows;
  double longest = -1;  // squared
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3<double> edge = surface.positions[t[(i + 1) % 3]] - surface.positions[t[i]];
    if (!(dot(edge, edge) > longest)) continue;
    longest = dot(edge, edge);
    rows.edge = i;
  }
  rows.parts = parts_of(std::sqrt(longest), spacing);
  if (rows.parts == 1) return rows;
  // The height, in parts of the height of the triangle of equal sides.
  const double height = norm(area_vector(surface, t)) / (longest * std::numbers::sqrt3 / 2);
  const double parts = static_cast<double>(rows.parts);
  rows.count = static_cast<std::uint64_t>(std::clamp(std::ceil(height * parts), 1.0, parts));
  return rows;
}

// Point k of a row. Corners keep the order of the triangle: another order rounds sums differently.
SurfacePoint row_point(const Corners& t, const Rows& rows, std::uint64_t row, std::uint64_t k) {
  const double up = static_cast<double>(row) / static_cast<double>(rows.count);
  const double along = static_cast<double>(k) / static_cast<double>(rows.parts_of_row(row));
  std::array<double, 3> weights{};
  weights[rows.edge] = (1 - up) * (1 - along);
  weights[(rows.edge + 1) % 3] = (1 - up) * along;
  weights[(rows.edge + 2) % 3] = up;
  return snapped(t, weights);
}

// Leaves out points in cells that have a point already: thousands of needles, or of triangles at
// one place, do not need more points than one triangle of their area. Sheets that move differently
// keep their own points.
class Thinned {
 public:
  Thinned(const BindSurface& surface, double spacing, std::vector<SurfacePoint>& points)
      : surface_(surface), cell_(spacing / 8), points_(points) {}

  void add(const SurfacePoint& point) {
    const Vec3<double> p = surface_.position(point);
    const auto heaviest = std::max_element(point.weights.begin(), point.weights.end());
    const VertexIndex corner =
        point.corners[static_cast<std::size_t>(heaviest - point.weights.begin())];
    const std::uint32_t joint = surface_.influences_of(corner).front().joint;
    const Cell cell{std::floor(p.x / cell_), std::floor(p.y / cell_), std::floor(p.z / cell_),
                    static_cast<double>(joint)};
    if (cells_.insert(cell).second) points_.push_back(point);
  }

 private:
  using Cell = std::array<double, 4>;  // x, y, z, joint
  struct Hash {
    std::size_t operator()(const Cell& cell) const {
      std::uint64_t hash = 0;
      for (const double x : cell) {
        hash = (hash ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };

  const BindSurface& surface_;
  double cell_;
  std::vector<SurfacePoint>& points_;
  std::unordered_set<Cell, Hash> cells_;
};

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
  for (const Corners& t : surface.triangles) count += rows_of(surface, t, spacing_m).points();
  if (count > kMostPoints) throw std::bad_alloc();
  Thinned thinned(surface, spacing_m, points);
  for (const LongEdge& edge : edges) {
    for (std::uint64_t i = 1; i < edge.parts; ++i) {
      const double along = static_cast<double>(i) / static_cast<double>(edge.parts);
      thinned.add(snapped(edge.corners, {1 - along, along, 0}));
    }
  }
  for (const Corners& t : surface.triangles) {
    const Rows rows = rows_of(surface, t, spacing_m);
    for (std::uint64_t row = 1; row < rows.count; ++row) {
      for (std::uint64_t k = 1; k < rows.parts_of_row(row); ++k) {
        thinned.add(row_point(t, rows, row, k));
      }
    }
  }
  return points;
}

// ---- Lips, fingers that touch and clothes on skin are several sheets of a surface at one place.
// Sheets are told apart by their direction and by their weights; on one sheet the distance decides.

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSixtyDegrees = 0.5;  // the cosine
// Distances are equal that differ by less than this part of the diagonal: weights decide.
constexpr double kRounding = 1e-6;
// A triangle that is nearer by less than this part of the distance is not searched for.
constexpr double kNotNearer = 1e-6;
// Weights differ by less because their file rounds them.
constexpr double kEqualWeights = 0.02;
// Weights differ by less because they are float32.
constexpr double kSameWeights = 1e-6;
// A triangle has no area if its height is this part of its longest edge: the rounding of float32.
constexpr double kNoHeight = 1e-6;

Vec3<double> unit_or_zero(const Vec3<double>& v) {
  const double length = norm(v);
  return length > 0 ? (1 / length) * v : Vec3<double>{0, 0, 0};
}

double squared_and_rounding(double distance) {
  return distance * distance * (1 + 1e-9);
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
      rounding_m_(kRounding * surface.diagonal_m) {
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

// The nearest point of the triangles that face like the normal; none within the band.
std::optional<PartnerSearch::Candidate> PartnerSearch::nearest(const Vec3<double>& p,
                                                               const Vec3<double>& normal,
                                                               const Band& band) const {
  std::optional<Candidate> best;
  double squared_radius = squared_and_rounding(band.farthest);
  const double near_enough = band.nearest * band.nearest * (1 + 2 * kNotNearer);
  std::uint64_t visits = 0;
  tree_.visit_near(p, boxes_, squared_radius, [&](std::uint32_t triangle) {
    ++visits;
    const ClosestPoint closest = closest_on(triangle, p);
    const double squared = closest.squared_distance;
    if (squared > squared_radius || !faces(triangle, normal)) return;
    best = Candidate{triangle, closest, std::sqrt(squared), 0};
    // A negative radius ends the search.
    squared_radius = squared <= near_enough ? -1 : squared * (1 - 2 * kNotNearer);
  });
  visits_.fetch_add(visits, std::memory_order_relaxed);
  return best;
}

double PartnerSearch::distance_of(const Vec3<double>& p) const {
  return nearest(p, {0, 0, 0}, {0, kInfinity})->distance;
}

// Sets the candidates: the closest points of the triangles within the distance.
void PartnerSearch::gather(const Vec3<double>& p, const Vec3<double>& normal, double farthest,
                           Scratch& scratch) const {
  scratch.candidates.clear();
  const double squared_radius = squared_and_rounding(farthest);
  std::uint64_t visits = 0;
  tree_.visit_near(p, boxes_, squared_radius, [&](std::uint32_t triangle) {
    ++visits;
    if (!faces(triangle, normal)) return;
    const ClosestPoint closest = closest_on(triangle, p);
    if (closest.squared_distance > squared_radius) return;
    scratch.candidates.push_back({triangle, closest, std::sqrt(closest.squared_distance), 0});
  });
  visits_.fetch_add(visits, std::memory_order_relaxed);
}

double PartnerSearch::weight_difference(const Candidate& candidate, Scratch& scratch) const {
  const auto& w = candidate.closest.weights;
  return scratch.weights.of(
      surface_, {surface_.triangles[candidate.triangle],
                 {static_cast<float>(w[0]), static_cast<float>(w[1]), static_cast<float>(w[2])}});
}

// Of the candidates whose weights are as near as the nearest weights, the closest; of equally close
// ones, the one with the nearest weights; then the lowest triangle.
const PartnerSearch::Candidate& PartnerSearch::choose(Scratch& scratch) const {
  auto& all = scratch.candidates;
  double nearest_weights = 1;
  for (auto& c : all) {
    c.weight_difference = weight_difference(c, scratch);
    nearest_weights = std::min(nearest_weights, c.weight_difference);
  }
  std::erase_if(
      all, [&](const auto& c) { return c.weight_difference > nearest_weights + kEqualWeights; });
  const double closest = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
                           return a.distance < b.distance;
                         })->distance;
  std::erase_if(all, [&](const auto& c) { return c.distance > closest + rounding_m_; });
  return *std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(a.weight_difference, a.triangle) < std::pair(b.weight_difference, b.triangle);
  });
}

PartnerSearch::Partner PartnerSearch::partner_of(const BindSurface& of, const SurfacePoint& point,
                                                 const Vec3<double>& normal, const Band& band,
                                                 Scratch& scratch) const {
  const Vec3<double> p = of.position(point);
  std::optional<Candidate> best = nearest(p, normal, band);
  // At a sharp tip, the triangles around the nearest point all face another way.
  const bool faces_away = !best;
  const Vec3<double> direction = faces_away ? Vec3<double>{0, 0, 0} : normal;
  if (faces_away) best = nearest(p, direction, {band.nearest, kInfinity});
  scratch.weights.set(of, point);
  if (weight_difference(*best, scratch) > kSameWeights) {
    gather(p, direction, std::max(band.farthest, best->distance), scratch);
    best = choose(scratch);
  }
  return {snapped(surface_.triangles[best->triangle], best->closest.weights), faces_away};
}

}  // namespace skinbake
