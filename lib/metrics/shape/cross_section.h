// Cross-sections of a surface: the closed polygons in which planes cut it.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/shape/shape_kernels.h"
#include "metrics/shape/triangle_tree.h"
#include "rig/surface/triangles.h"
#include "skinbake/metrics.h"

namespace skinbake {

// A closed polygon through points on edges of the surface.
using Loop = std::vector<CutPoint>;

// The straight line to which the planes are perpendicular.
struct Axis {
  Vec3<double> start{0, 0, 0};
  Vec3<double> direction{0, 0, 1};  // of unit length
};

// Cuts one surface in one pose. Both must outlive it. A cut takes time in proportion to the
// triangles that the planes cross, not to all triangles.
class SectionCutter {
 public:
  SectionCutter(const Topology& topology, const BaselinePose& pose);

  // [height] The closed polygon around the axis in the plane at this height above the start of the
  // axis: of several polygons, the smallest; empty: no polygon. Precondition: heights ascend.
  std::vector<Loop> cut(const Axis& axis, std::span<const double> heights);

 private:
  // The line in which a plane cuts a triangle. Its ends are nodes: edges that the plane cuts.
  struct Segment {
    std::uint32_t ends[2];
  };

  // Fills crossing_, and the heights of the vertices of triangles that may be crossed.
  void sort_triangles(const Axis& axis, std::span<const double> heights);
  bool is_above(VertexIndex v, double height) const { return heights_[v] >= height; }
  std::uint32_t node_of(std::uint32_t edge, double height);
  void find_segments(const std::vector<std::uint32_t>& triangles, double height);
  std::vector<Loop> find_loops();
  Loop loop_around(const Axis& axis, const std::vector<Loop>& loops) const;
  bool encloses(const Axis& axis, const Loop& loop) const;

  const Topology& topology_;
  const BaselinePose& pose_;
  Edges edges_;
  // [vertex] The representatives of the seams: all vertices of a seam are on the same side of a
  // plane.
  std::vector<Vec3<double>> positions_;
  TriangleTree tree_;
  std::vector<TriangleBox> boxes_;                    // of the tree
  std::vector<double> heights_;                       // [vertex] above the start of the axis
  std::vector<std::vector<std::uint32_t>> crossing_;  // [plane] triangles that it cuts, ascending
  std::vector<std::uint32_t> node_of_edge_;           // [edge]; kNone between planes
  std::vector<std::uint32_t> cut_edges_;              // [node]
  Loop points_;                                       // [node]
  std::vector<Segment> segments_;
};

}  // namespace skinbake
