// A bounding volume hierarchy over the triangles of a surface. It is built once and refitted to
// every pose, to find the pairs of triangles that cross and the triangles near a point.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rig/surface/triangles.h"
#include "skinbake/rig.h"

namespace skinbake {

using PosePositions = std::span<const Vec3<double>>;  // [vertex]

// True if an edge of one triangle strictly crosses the interior of the other. Triangles that only
// touch or are coplanar do not cross. The predicate is exact.
bool triangles_cross(PosePositions points, const Triangle& a, const Triangle& b);

struct TriangleBox {
  Vec3<double> low{0, 0, 0}, high{0, 0, 0};

  double squared_distance(const Vec3<double>& p) const {
    const double x = std::max({low.x - p.x, 0.0, p.x - high.x});
    const double y = std::max({low.y - p.y, 0.0, p.y - high.y});
    const double z = std::max({low.z - p.z, 0.0, p.z - high.z});
    return x * x + y * y + z * z;
  }
};

// A box along the edges of its triangles. The needles of a fan fill their oriented boxes, and a
// small part of boxes along the axes.
struct OrientedBox {
  Vec3<double> centre{0, 0, 0};
  std::array<Vec3<double>, 3> axes{};  // of unit length, at right angles
  std::array<double, 3> half{};        // [axis] half the length of the side

  double squared_distance(const Vec3<double>& p) const {
    const Vec3<double> d{p.x - centre.x, p.y - centre.y, p.z - centre.z};
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double along = axes[i].x * d.x + axes[i].y * d.y + axes[i].z * d.z;
      const double over = std::max(0.0, std::abs(along) - half[i]);
      sum += over * over;
    }
    return sum;
  }
};

class TriangleTree {
 public:
  // Triangles that share a point of `welded` [vertex] are neighbours, which are not tested. The
  // spans must outlive the tree.
  TriangleTree(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
               PosePositions points);

  // Every leaf has at least half of the triangles of a full one.
  static std::uint64_t most_nodes(std::uint64_t triangles) { return triangles + 1; }

  // Computes the boxes of the nodes in one pose.
  void fit(PosePositions points, std::vector<TriangleBox>& boxes) const;
  // These take longer to compute, and exclude more triangles of a search.
  void fit(PosePositions points, std::vector<OrientedBox>& boxes) const;

  // Calls `found` once with each pair that crosses and does not share a point, in an order that
  // depends on the tree. Returns false if more than `most_steps` pairs of boxes or triangles would
  // have to be compared; in this case some pairs may not have been found.
  [[nodiscard]] bool find_crossings(
      PosePositions points, const std::vector<TriangleBox>& boxes, std::int64_t most_steps,
      const std::function<void(std::uint32_t, std::uint32_t)>& found) const;

  // Calls visit(triangle) with all triangles that are within a distance of a point, near ones
  // first, and with some that are farther away. `visit` may reduce `squared_radius`; a negative one
  // ends the search. A box may be farther by rounding than the triangles in it, so the radius
  // should exceed 0.
  template <class Box, class Visit>
  void visit_near(const Vec3<double>& point, const std::vector<Box>& boxes,
                  const double& squared_radius, const Visit& visit) const;

  // Calls visit(triangle) with the triangles of all boxes for which meets(box) is true, and with
  // some others. If meets(box) is false, it must be false for all boxes inside.
  template <class Meets, class Visit>
  void visit_meeting(const std::vector<TriangleBox>& boxes, const Meets& meets,
                     const Visit& visit) const;

 private:
  // A leaf contains order_[first, first + count). An inner node has count 0 and two children; the
  // first child follows it directly.
  struct Node {
    std::uint32_t first = 0, count = 0;
    std::uint32_t second_child = 0;
  };
  struct Search;

  void build(std::uint32_t first, std::uint32_t count, const std::vector<Vec3<double>>& centres);
  bool are_neighbours(std::uint32_t a, std::uint32_t b) const;

  std::span<const Triangle> triangles_;
  std::span<const VertexIndex> welded_;
  std::vector<std::uint32_t> order_;  // triangles in the order of the leaves
  std::vector<Node> nodes_;           // parents before children
};

template <class Box, class Visit>
void TriangleTree::visit_near(const Vec3<double>& point, const std::vector<Box>& boxes,
                              const double& squared_radius, const Visit& visit) const {
  if (nodes_.empty()) return;
  // Halving 2^32 triangles gives 32 levels, each of which leaves one sibling behind.
  struct Pending {
    std::size_t node;
    double squared_distance;
  };
  std::array<Pending, 64> pending;
  std::size_t count = 0;
  pending[count++] = {0, boxes[0].squared_distance(point)};
  while (count > 0) {
    const Pending next = pending[--count];
    if (next.squared_distance > squared_radius) continue;
    const Node& node = nodes_[next.node];
    if (node.count > 0) {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) visit(order_[i]);
      continue;
    }
    Pending near{next.node + 1, boxes[next.node + 1].squared_distance(point)};
    Pending far{node.second_child, boxes[node.second_child].squared_distance(point)};
    if (far.squared_distance < near.squared_distance) std::swap(near, far);
    pending[count++] = far;
    pending[count++] = near;
  }
}

template <class Meets, class Visit>
void TriangleTree::visit_meeting(const std::vector<TriangleBox>& boxes, const Meets& meets,
                                 const Visit& visit) const {
  std::vector<std::size_t> pending;
  if (!nodes_.empty()) pending.push_back(0);
  while (!pending.empty()) {
    const std::size_t at = pending.back();
    pending.pop_back();
    if (!meets(boxes[at])) continue;
    const Node& node = nodes_[at];
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) visit(order_[i]);
    if (node.count > 0) continue;
    pending.push_back(node.second_child);
    pending.push_back(at + 1);
  }
}

}  // namespace skinbake
