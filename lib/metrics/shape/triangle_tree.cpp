#include "metrics/shape/triangle_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "math/orient3d.h"
#include "math/scalar.h"

namespace skinbake {
namespace {

constexpr std::uint32_t kLeafSize = 4;

Vec3<double> lower(const Vec3<double>& a, const Vec3<double>& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3<double> upper(const Vec3<double>& a, const Vec3<double>& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

TriangleBox box_of(PosePositions points, const Triangle& t) {
  return {lower(lower(points[t[0]], points[t[1]]), points[t[2]]),
          upper(upper(points[t[0]], points[t[1]]), points[t[2]])};
}

bool are_apart(const TriangleBox& a, const TriangleBox& b) {
  return a.high.x < b.low.x || b.high.x < a.low.x || a.high.y < b.low.y || b.high.y < a.low.y ||
         a.high.z < b.low.z || b.high.z < a.low.z;
}

Vec3<double> unit_or(const Vec3<double>& v, const Vec3<double>& otherwise) {
  const double length = norm(v);
  return length > 0 && std::isfinite(length) ? (1 / length) * v : otherwise;
}

// Any direction at a right angle to a unit vector.
Vec3<double> perpendicular(const Vec3<double>& u) {
  const bool is_along_x = std::abs(u.x) > 0.5;
  return unit_or(cross(u, is_along_x ? Vec3<double>{0, 1, 0} : Vec3<double>{1, 0, 0}), {0, 0, 1});
}

// The longest edge, the direction at a right angle to it in the mean plane, and the rest.
std::array<Vec3<double>, 3> axes_of(PosePositions points, std::span<const Triangle> triangles,
                                    std::span<const std::uint32_t> chosen) {
  Vec3<double> longest{0, 0, 0}, area{0, 0, 0};
  for (const std::uint32_t triangle : chosen) {
    const Triangle& t = triangles[triangle];
    const Vec3<double> ab = points[t[1]] - points[t[0]], ac = points[t[2]] - points[t[0]];
    for (const Vec3<double>& edge : {ab, ac, ac - ab}) {
      if (dot(edge, edge) > dot(longest, longest)) longest = edge;
    }
    area = area + cross(ab, ac);
  }
  const Vec3<double> u = unit_or(longest, {1, 0, 0});
  const Vec3<double> n = unit_or(area, perpendicular(u));
  // The areas of a closed surface cancel: what rounding leaves of them may be along the edge.
  const Vec3<double> across = n - dot(n, u) * u;
  const Vec3<double> w = norm(across) > 1e-3 ? unit_or(across, {0, 0, 1}) : perpendicular(u);
  return {u, cross(w, u), w};
}

OrientedBox oriented_box_of(PosePositions points, std::span<const Triangle> triangles,
                            std::span<const std::uint32_t> chosen) {
  OrientedBox box;
  box.axes = axes_of(points, triangles, chosen);
  const Vec3<double>& origin = points[triangles[chosen.front()][0]];
  std::array<double, 3> low{}, high{};
  for (const std::uint32_t triangle : chosen) {
    for (const VertexIndex v : triangles[triangle]) {
      for (std::size_t i = 0; i < 3; ++i) {
        const double along = dot(box.axes[i], points[v] - origin);
        low[i] = std::min(low[i], along);
        high[i] = std::max(high[i], along);
      }
    }
  }
  box.centre = origin;
  for (std::size_t i = 0; i < 3; ++i) {
    box.centre = box.centre + ((low[i] + high[i]) / 2) * box.axes[i];
    box.half[i] = (high[i] - low[i]) / 2;
  }
  // Rounding must leave no triangle outside.
  const double wider = 1e-12 * (norm(box.centre) + box.half[0] + box.half[1] + box.half[2]);
  for (double& half : box.half) half += wider;
  return box;
}

// The sides of a triangle's plane on which the corners of another triangle are: -1, 0 or 1.
struct Sides {
  int at[3];

  bool straddle() const {
    return std::max({at[0], at[1], at[2]}) > 0 && std::min({at[0], at[1], at[2]}) < 0;
  }
};
Sides sides_of(PosePositions points, const Triangle& plane, const Triangle& corners) {
  Sides sides{};
  for (std::size_t i = 0; i < 3; ++i) {
    sides.at[i] =
        orient3d(points[plane[0]], points[plane[1]], points[plane[2]], points[corners[i]]);
  }
  return sides;
}

// True if the edge p q passes through the interior of the triangle: the three sides of the triangle
// then have the same orientation about the edge.
// Precondition: p and q are on different sides of the triangle's plane.
bool pierces(PosePositions points, VertexIndex p, VertexIndex q, const Triangle& t) {
  const auto orientation = [&](std::size_t i) {
    return orient3d(points[p], points[q], points[t[i]], points[t[(i + 1) % 3]]);
  };
  const int first = orientation(0);
  return first != 0 && orientation(1) == first && orientation(2) == first;
}

bool an_edge_pierces(PosePositions points, const Triangle& edges, const Sides& sides,
                     const Triangle& t) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t next = (i + 1) % 3;
    if (sides.at[i] * sides.at[next] < 0 && pierces(points, edges[i], edges[next], t)) return true;
  }
  return false;
}

}  // namespace

bool triangles_cross(PosePositions points, const Triangle& a, const Triangle& b) {
  // A triangle that is not on both sides of the other's plane can only touch the other.
  const Sides of_a = sides_of(points, b, a);
  if (!of_a.straddle()) return false;
  const Sides of_b = sides_of(points, a, b);
  if (!of_b.straddle()) return false;
  return an_edge_pierces(points, a, of_a, b) || an_edge_pierces(points, b, of_b, a);
}

TriangleTree::TriangleTree(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
                           PosePositions points)
    : triangles_(triangles), welded_(welded), order_(triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  nodes_.reserve(most_nodes(triangles.size()));
  std::vector<Vec3<double>> centres;  // of the boxes, times two
  centres.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    const TriangleBox box = box_of(points, t);
    centres.push_back(box.low + box.high);
  }
  if (!order_.empty()) build(0, static_cast<std::uint32_t>(order_.size()), centres);
}

// Splits at the median along the longest side of the centres' box: the depth is logarithmic.
void TriangleTree::build(std::uint32_t first, std::uint32_t count,
                         const std::vector<Vec3<double>>& centres) {
  const std::size_t index = nodes_.size();
  nodes_.push_back({first, count, 0});
  if (count <= kLeafSize) return;
  TriangleBox box{centres[order_[first]], centres[order_[first]]};
  for (std::uint32_t i = first; i < first + count; ++i) {
    box = {lower(box.low, centres[order_[i]]), upper(box.high, centres[order_[i]])};
  }
  const Vec3<double> size = box.high - box.low;
  double Vec3<double>::*const axis = size.x >= size.y && size.x >= size.z ? &Vec3<double>::x
                                     : size.y >= size.z                   ? &Vec3<double>::y
                                                                          : &Vec3<double>::z;
  const std::uint32_t half = count / 2;
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [&](std::uint32_t a, std::uint32_t b) {
    const double ca = centres[a].*axis, cb = centres[b].*axis;
    return ca != cb ? ca < cb : a < b;
  });
  build(first, half, centres);
  nodes_[index] = {first, 0, static_cast<std::uint32_t>(nodes_.size())};
  build(first + half, count - half, centres);
}

void TriangleTree::fit(PosePositions points, std::vector<TriangleBox>& boxes) const {
  boxes.resize(nodes_.size());
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    const Node& node = nodes_[n];
    if (node.count == 0) {
      const TriangleBox &a = boxes[n + 1], &b = boxes[node.second_child];
      boxes[n] = {lower(a.low, b.low), upper(a.high, b.high)};
      continue;
    }
    boxes[n] = box_of(points, triangles_[order_[node.first]]);
    for (std::uint32_t i = node.first + 1; i < node.first + node.count; ++i) {
      const TriangleBox box = box_of(points, triangles_[order_[i]]);
      boxes[n] = {lower(boxes[n].low, box.low), upper(boxes[n].high, box.high)};
    }
  }
}

void TriangleTree::fit(PosePositions points, std::vector<OrientedBox>& boxes) const {
  boxes.resize(nodes_.size());
  std::vector<std::uint32_t> ends(nodes_.size());
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    const Node& node = nodes_[n];
    ends[n] = node.count > 0 ? node.first + node.count : ends[node.second_child];
    boxes[n] = oriented_box_of(points, triangles_,
                               std::span(order_).subspan(node.first, ends[n] - node.first));
  }
}

bool TriangleTree::are_neighbours(std::uint32_t a, std::uint32_t b) const {
  for (const VertexIndex p : triangles_[a]) {
    for (const VertexIndex q : triangles_[b]) {
      if (welded_[p] == welded_[q]) return true;
    }
  }
  return false;
}

// The recursive search. Its functions return false when no steps are left.
struct TriangleTree::Search {
  const TriangleTree& tree;
  PosePositions points;
  const std::vector<TriangleBox>& boxes;
  const std::function<void(std::uint32_t, std::uint32_t)>& found;
  std::int64_t steps_left;

  bool test(std::uint32_t a, std::uint32_t b) {
    if (steps_left-- <= 0) return false;
    const Triangle &ta = tree.triangles_[a], &tb = tree.triangles_[b];
    if (are_apart(box_of(points, ta), box_of(points, tb)) || tree.are_neighbours(a, b)) return true;
    if (triangles_cross(points, ta, tb)) found(std::min(a, b), std::max(a, b));
    return true;
  }

  bool within(std::uint32_t n) {
    const Node& node = tree.nodes_[n];
    if (node.count == 0) {
      return within(n + 1) && within(node.second_child) && between(n + 1, node.second_child);
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      for (std::uint32_t j = node.first; j < i; ++j) {
        if (!test(tree.order_[j], tree.order_[i])) return false;
      }
    }
    return true;
  }

  bool between(std::uint32_t m, std::uint32_t n) {
    if (steps_left-- <= 0) return false;
    if (are_apart(boxes[m], boxes[n])) return true;
    const Node &a = tree.nodes_[m], &b = tree.nodes_[n];
    if (a.count == 0) return between(m + 1, n) && between(a.second_child, n);
    if (b.count == 0) return between(m, n + 1) && between(m, b.second_child);
    for (std::uint32_t i = a.first; i < a.first + a.count; ++i) {
      for (std::uint32_t j = b.first; j < b.first + b.count; ++j) {
        if (!test(tree.order_[i], tree.order_[j])) return false;
      }
    }
    return true;
  }
};

bool TriangleTree::find_crossings(
    PosePositions points, const std::vector<TriangleBox>& boxes, std::int64_t most_steps,
    const std::function<void(std::uint32_t, std::uint32_t)>& found) const {
  if (nodes_.empty()) return true;
  Search search{*this, points, boxes, found, most_steps};
  return search.within(0);
}

}  // namespace skinbake
