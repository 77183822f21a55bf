// The triangles that only one of two surfaces has, whose vertices pair.

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "compare/surface/surfaces.h"

namespace skinbake {
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
