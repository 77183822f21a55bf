// A tree of boxes over the triangles of a surface: built once, refitted to every pose, asked which
// of its triangles cross.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rig/edges.h"
#include "skinbake/transform.h"

namespace skinbake {

using PosePositions = std::span<const Vec3<double>>;  // [vertex]

// True if an edge of one triangle strictly crosses the interior of the other. Triangles that touch
// or lie in one plane do not; rounding plays no part.
bool triangles_cross(PosePositions points, const Triangle& a, const Triangle& b);

struct TriangleBox {
  Vec3<double> low{0, 0, 0}, high{0, 0, 0};
};

class TriangleTree {
 public:
  // `welded`: triangles that share a point are neighbours, which do not count. The spans must
  // outlive the tree.
  TriangleTree(std::span<const Triangle> triangles, std::span<const VertexIndex> welded,
               PosePositions points);

  // The boxes of the nodes in one pose.
  void fit(PosePositions points, std::vector<TriangleBox>& boxes) const;

  // Calls `found` with each pair that crosses and shares no point, once, in an order that depends
  // on the tree. False if more than `most_steps` boxes or triangles would have to be compared: then
  // it stops there, and there may be pairs that it has not found.
  [[nodiscard]] bool find_crossings(
      PosePositions points, const std::vector<TriangleBox>& boxes, std::int64_t most_steps,
      const std::function<void(std::uint32_t, std::uint32_t)>& found) const;

 private:
  // Leaves hold order_[first, first + count); other nodes have count 0 and two children, the first
  // right after them.
  struct Node {
    std::uint32_t first = 0, count = 0;
    std::uint32_t second_child = 0;
  };
  struct Search;

  void build(std::uint32_t first, std::uint32_t count, const std::vector<Vec3<double>>& centres);
  bool are_neighbours(std::uint32_t a, std::uint32_t b) const;

  std::span<const Triangle> triangles_;
  std::span<const VertexIndex> welded_;
  std::vector<std::uint32_t> order_;  // of triangles, as the leaves have them
  std::vector<Node> nodes_;           // children after their parents
};

}  // namespace skinbake
