// Closest points of triangles, and the difference of surfaces in triangles.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "compare/surface/closest_point.h"
#include "compare/surface/surfaces.h"

namespace skinbake {

namespace {

using Vec = Vec3<double>;

// Without fma, which is a function call on the baseline of x86-64.
double product(const Vec& a, const Vec& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec minus(const Vec& a, const Vec& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

ClosestPoint at(const Vec& p, const std::array<Vec, 3>& t, const std::array<double, 3>& w) {
  const Vec d{w[0] * t[0].x + w[1] * t[1].x + w[2] * t[2].x - p.x,
              w[0] * t[0].y + w[1] * t[1].y + w[2] * t[2].y - p.y,
              w[0] * t[0].z + w[1] * t[1].z + w[2] * t[2].z - p.z};
  return {w, product(d, d)};
}

// The closest point of the side from corner i to the next.
ClosestPoint on_side(const Vec& p, const std::array<Vec, 3>& t, std::size_t i) {
  const std::size_t next = (i + 1) % 3;
  const Vec side = minus(t[next], t[i]);
  const double length = product(side, side);
  const double part =
      length > 0 ? std::clamp(product(side, minus(p, t[i])) / length, 0.0, 1.0) : 0.0;
  std::array<double, 3> weights{};
  weights[i] = 1 - part;
  weights[next] = part;
  return at(p, t, weights);
}

ClosestPoint on_boundary(const Vec& p, const std::array<Vec, 3>& t) {
  ClosestPoint best = on_side(p, t, 0);
  for (const std::size_t i : {1u, 2u}) {
    const ClosestPoint other = on_side(p, t, i);
    if (other.squared_distance < best.squared_distance) best = other;
  }
  return best;
}

}  // namespace

ClosestPoint closest_point(const Vec& p, const std::array<Vec, 3>& t) {
  const Vec ab = minus(t[1], t[0]), ac = minus(t[2], t[0]), ap = minus(p, t[0]);
  const double d1 = product(ab, ap), d2 = product(ac, ap);
  if (d1 <= 0 && d2 <= 0) return at(p, t, {1, 0, 0});
  const Vec bp = minus(p, t[1]);
  const double d3 = product(ab, bp), d4 = product(ac, bp);
  if (d3 >= 0 && d4 <= d3) return at(p, t, {0, 1, 0});
  const Vec cp = minus(p, t[2]);
  const double d5 = product(ab, cp), d6 = product(ac, cp);
  if (d6 >= 0 && d5 <= d6) return at(p, t, {0, 0, 1});
  // Twice the areas of the triangles between the projection of p and each side, times the area.
  const double a = d3 * d6 - d5 * d4, b = d5 * d2 - d1 * d6, c = d1 * d4 - d3 * d2;
  const double sum = a + b + c;
  if (a > 0 && b > 0 && c > 0 && std::isfinite(1 / sum)) {
    return at(p, t, {a / sum, b / sum, c / sum});
  }
  return on_boundary(p, t);
}

SurfacePoint snapped(const std::array<VertexIndex, 3>& corners,
                     const std::array<double, 3>& weights) {
  constexpr double kOne = 1 << 24;
  SurfacePoint point{corners, {}};
  double rest = kOne;
  for (const std::size_t i : {0u, 1u}) {
    const double units = std::min(rest, std::floor(weights[i] * kOne + 0.5));
    point.weights[i] = static_cast<float>(units / kOne);
    rest -= units;
  }
  point.weights[2] = static_cast<float>(rest / kOne);
  // A corner comes first, so that it is known as a vertex.
  for (const std::size_t i : {1u, 2u}) {
    if (point.weights[i] == 1) return {{corners[i], corners[i], corners[i]}, {1, 0, 0}};
  }
  if (point.is_vertex()) point.corners = {corners[0], corners[0], corners[0]};
  return point;
}

// ---- The triangles that only one of two surfaces has, whose vertices pair.

namespace {

using CornerTriple = std::array<VertexIndex, 3>;

// Each from its lowest corner, as often as it is there. `name_of`: [vertex].
std::vector<CornerTriple> sorted_triangles(std::span<const CornerTriple> triangles,
                                           std::span<const VertexIndex> name_of) {
  std::vector<CornerTriple> sorted;
  sorted.reserve(triangles.size());
  for (CornerTriple t : triangles) {
    for (VertexIndex& corner : t) corner = name_of[corner];
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    sorted.push_back(t);
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

TriangleDifference difference_of_sorted(const std::vector<CornerTriple>& a,
                                        const std::vector<CornerTriple>& b) {
  std::vector<CornerTriple> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return {static_cast<std::int64_t>(a.size() - both.size()),
          static_cast<std::int64_t>(b.size() - both.size())};
}

// [vertex] The first vertex that is at the same place in every frame.
std::vector<VertexIndex> first_at_place(const BindSurface& surface) {
  const auto place = [&](VertexIndex v) {
    const Vec3<double>&p = surface.positions[v], &m = surface.morphed[v];
    return std::tuple{p.x, p.y, p.z, m.x, m.y, m.z};
  };
  const auto less = [](const Influence& a, const Influence& b) {
    return std::tuple{a.joint, a.weight} < std::tuple{b.joint, b.weight};
  };
  const auto is_before = [&](VertexIndex v, VertexIndex w) {
    const auto of_v = place(v), of_w = place(w);
    if (of_v != of_w) return of_v < of_w;
    const auto a = surface.influences_of(v), b = surface.influences_of(w);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), less);
  };
  std::vector<VertexIndex> order(surface.positions.size()), first(order.size());
  std::iota(order.begin(), order.end(), VertexIndex{0});
  std::stable_sort(order.begin(), order.end(), is_before);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_new = i == 0 || is_before(order[i - 1], order[i]);
    first[order[i]] = is_new ? order[i] : first[order[i - 1]];
  }
  return first;
}

}  // namespace

TriangleDifference triangle_difference(std::span<const CornerTriple> a,
                                       std::span<const CornerTriple> b) {
  VertexIndex count = 0;
  for (const auto triangles : {a, b}) {
    for (const CornerTriple& t : triangles) count = std::max({count, t[0] + 1, t[1] + 1, t[2] + 1});
  }
  std::vector<VertexIndex> own(count);
  std::iota(own.begin(), own.end(), VertexIndex{0});
  return difference_of_sorted(sorted_triangles(a, own), sorted_triangles(b, own));
}

TriangleDifference triangle_difference(const BindSurface& a, const BindSurface& b,
                                       std::span<const VertexIndex> b_of_a) {
  const std::vector<VertexIndex> of_a = first_at_place(a);
  std::vector<VertexIndex> of_b(of_a.size());
  for (std::size_t v = 0; v < of_a.size(); ++v) of_b[b_of_a[v]] = of_a[v];
  return difference_of_sorted(sorted_triangles(a.triangles, of_a),
                              sorted_triangles(b.triangles, of_b));
}

}  // namespace skinbake
