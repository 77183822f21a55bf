// Where a plane cuts a surface: closed polygons through points on its edges.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/shape_kernels.h"
#include "rig/edges.h"
#include "skinbake/metrics.h"

namespace skinbake {

using Loop = std::vector<CutPoint>;

// The straight line about which a surface is cut across.
struct Axis {
  Vec3<double> start{0, 0, 0};
  Vec3<double> direction{0, 0, 1};  // of unit length
};

// Cuts one surface at planes across lines. The surface and the pose must outlive it.
class SectionCutter {
 public:
  SectionCutter(const Topology& topology, const BaselinePose& pose);

  // At each height above the axis's start the closed polygon that goes round the axis, the one with
  // the least area if there are several; empty: there is none. Heights ascend.
  std::vector<Loop> cut(const Axis& axis, std::span<const double> heights);

 private:
  // Two cut edges of one triangle, by their places among the nodes.
  struct Segment {
    std::uint32_t ends[2];
  };

  void find_heights(const Axis& axis);
  // The triangles that reach each plane: crossing_.
  void sort_triangles(std::span<const double> heights);
  bool is_above(VertexIndex v, double height) const { return heights_[v] >= height; }
  std::uint32_t node_of(std::uint32_t edge, double height);
  void find_segments(const std::vector<std::uint32_t>& triangles, double height);
  std::vector<Loop> find_loops();
  Loop round_axis(const Axis& axis, const std::vector<Loop>& loops) const;
  bool goes_round(const Axis& axis, const Loop& loop) const;

  const Topology& topology_;
  const BaselinePose& pose_;
  Edges edges_;
  std::vector<double> heights_;                       // [vertex] above the axis's start
  std::vector<std::vector<std::uint32_t>> crossing_;  // [plane] triangles, ascending
  std::vector<std::uint32_t> node_of_edge_;           // [edge]; kNone between planes
  std::vector<std::uint32_t> cut_edges_;              // [node]
  Loop points_;                                       // [node]
  std::vector<Segment> segments_;
};

}  // namespace skinbake
