#include "metrics/shape/cross_section.h"

#include <algorithm>
#include <cmath>

#include "math/scalar.h"
#include "metrics/shape/shape_metric.h"

namespace skinbake {
namespace {

constexpr std::uint32_t kNoIndex = ~0u;

// Two unit vectors that are perpendicular to each other and to a third.
struct PlaneBasis {
  Vec3<double> u, v;
};
PlaneBasis basis_of_plane(const Vec3<double>& n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const Vec3<double> other = x <= y && x <= z ? Vec3<double>{1, 0, 0}
                             : y <= z         ? Vec3<double>{0, 1, 0}
                                              : Vec3<double>{0, 0, 1};
  const Vec3<double> u = cross(n, other);
  const Vec3<double> unit = (1 / norm(u)) * u;
  return {unit, cross(n, unit)};
}

// Walks along segments from node to node. Whenever the path meets itself, it closes a loop.
class LoopWalker {
 public:
  template <class Segments>
  LoopWalker(const Segments& segments, std::size_t nodes)
      : used_(segments.size(), false), first_(nodes + 1, 0), path_index_(nodes, kNoIndex) {
    for (const auto& s : segments) {
      for (const std::uint32_t end : s.ends) ++first_[end + 1];
    }
    for (std::size_t n = 0; n < nodes; ++n) first_[n + 1] += first_[n];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    steps_.resize(2 * segments.size());
    for (std::uint32_t s = 0; s < segments.size(); ++s) {
      const auto [a, b] = segments[s].ends;
      steps_[next[a]++] = {s, b};
      steps_[next[b]++] = {s, a};
    }
    next_.assign(first_.begin(), first_.end() - 1);
  }

  // Calls `found` with the nodes of each loop.
  template <class Found>
  void walk(const Found& found) {
    for (std::uint32_t start = 0; start < path_index_.size(); ++start) {
      enter(start);
      while (!path_.empty()) {
        const std::uint32_t to = step();
        if (to == kNoIndex) {
          leave();  // a dead end of an open polyline
        } else if (path_index_[to] == kNoIndex) {
          enter(to);
        } else {
          found(std::span(path_).subspan(path_index_[to]));
          while (path_.back() != to) leave();
        }
      }
    }
  }

 private:
  struct Step {
    std::uint32_t segment, to;
  };

  // Follows the first unused segment at the end of the path. Returns the node it leads to, or
  // kNoIndex.
  std::uint32_t step() {
    const std::uint32_t at = path_.back();
    for (std::uint32_t& i = next_[at]; i < first_[at + 1];) {
      const Step one = steps_[i++];
      if (used_[one.segment]) continue;
      used_[one.segment] = true;
      return one.to;
    }
    return kNoIndex;
  }
  void enter(std::uint32_t node) {
    path_index_[node] = static_cast<std::uint32_t>(path_.size());
    path_.push_back(node);
  }
  void leave() {
    path_index_[path_.back()] = kNoIndex;
    path_.pop_back();
  }

  std::vector<bool> used_;            // [segment]
  std::vector<std::uint32_t> first_;  // [node + 1]
  std::vector<std::uint32_t> next_;   // [node] the first step that may be unused
  std::vector<Step> steps_;
  std::vector<std::uint32_t> path_index_;  // [node] its index in path_, or kNoIndex
  std::vector<std::uint32_t> path_;        // nodes
};

std::vector<Vec3<double>> representatives(const Topology& topology, const BaselinePose& pose) {
  std::vector<Vec3<double>> positions;
  positions.reserve(topology.welded.size());
  for (const VertexIndex v : topology.welded) positions.push_back(point_of(pose, v));
  return positions;
}

struct Interval {
  double low, high;
};

// The heights of a box's points above the start of an axis, and somewhat more: the heights of
// corners are rounded.
Interval heights_of(const TriangleBox& box, const Axis& axis) {
  constexpr double kRounding = 1e-12;
  Interval heights{0, 0};
  double size = 0;
  for (double Vec3<double>::*const of : {&Vec3<double>::x, &Vec3<double>::y, &Vec3<double>::z}) {
    const double a = axis.direction.*of * (box.low.*of - axis.start.*of);
    const double b = axis.direction.*of * (box.high.*of - axis.start.*of);
    heights = {heights.low + std::min(a, b), heights.high + std::max(a, b)};
    size += std::max(std::abs(a), std::abs(b));
  }
  return {heights.low - kRounding * size, heights.high + kRounding * size};
}

}  // namespace

SectionCutter::SectionCutter(const Topology& topology, const BaselinePose& pose)
    : topology_(topology),
      pose_(pose),
      edges_(build_edges(topology.triangles, topology.welded)),
      positions_(representatives(topology, pose)),
      tree_(topology.triangles, topology.welded, positions_),
      heights_(topology.welded.size(), 0),
      node_of_edge_(edges_.uses.size(), kNoIndex) {
  tree_.fit(positions_, boxes_);
}

std::vector<Loop> SectionCutter::cut(const Axis& axis, std::span<const double> heights) {
  sort_triangles(axis, heights);
  std::vector<Loop> loops;
  for (std::size_t k = 0; k < heights.size(); ++k) {
    find_segments(crossing_[k], heights[k]);
    loops.push_back(loop_around(axis, find_loops()));
    for (const std::uint32_t edge : cut_edges_) node_of_edge_[edge] = kNoIndex;
  }
  return loops;
}

void SectionCutter::sort_triangles(const Axis& axis, std::span<const double> heights) {
  crossing_.resize(heights.size());
  for (auto& triangles : crossing_) triangles.clear();
  // A plane at h cuts a triangle with a corner below it, low < h, and one above or on it, h <=
  // high.
  const auto first_above = [&](double low) {
    return std::upper_bound(heights.begin(), heights.end(), low);
  };
  const auto meets = [&](const TriangleBox& box) {
    const Interval reach = heights_of(box, axis);
    const auto first = first_above(reach.low);
    return first != heights.end() && *first <= reach.high;
  };
  tree_.visit_meeting(boxes_, meets, [&](std::uint32_t t) {
    const auto& [a, b, c] = topology_.triangles[t];
    for (const VertexIndex v : {a, b, c}) {
      heights_[v] = dot(positions_[v] - axis.start, axis.direction);
    }
    const auto [low, high] = std::minmax({heights_[a], heights_[b], heights_[c]});
    for (auto h = first_above(low); h != heights.end() && *h <= high; ++h) {
      crossing_[static_cast<std::size_t>(h - heights.begin())].push_back(t);
    }
  });
  for (auto& triangles : crossing_) std::sort(triangles.begin(), triangles.end());
}

std::uint32_t SectionCutter::node_of(std::uint32_t edge, double height) {
  std::uint32_t& node = node_of_edge_[edge];
  if (node != kNoIndex) return node;
  node = static_cast<std::uint32_t>(points_.size());
  cut_edges_.push_back(edge);
  const auto [from, to] = ends(topology_.triangles, edges_.sides[edge][0]);
  points_.push_back({from, to, (height - heights_[from]) / (heights_[to] - heights_[from])});
  return node;
}

void SectionCutter::find_segments(const std::vector<std::uint32_t>& triangles, double height) {
  cut_edges_.clear();
  points_.clear();
  segments_.clear();
  for (const std::uint32_t t : triangles) {
    Segment segment{};
    int ends_found = 0;
    for (HalfEdge h = 3 * t; h < 3 * t + 3; ++h) {
      const auto [from, to] = ends(topology_.triangles, h);
      if (is_above(from, height) == is_above(to, height)) continue;
      segment.ends[ends_found++] = node_of(edges_.edge_of[h], height);
    }
    segments_.push_back(segment);  // exactly two edges have ends on different sides
  }
}

std::vector<Loop> SectionCutter::find_loops() {
  std::vector<Loop> loops;
  LoopWalker(segments_, points_.size()).walk([&](std::span<const std::uint32_t> nodes) {
    Loop& loop = loops.emplace_back();
    for (const std::uint32_t n : nodes) loop.push_back(points_[n]);
  });
  return loops;
}

Loop SectionCutter::loop_around(const Axis& axis, const std::vector<Loop>& loops) const {
  Loop best;
  double least = 0;
  for (const Loop& loop : loops) {
    if (!encloses(axis, loop)) continue;
    const double twice_area = loop_area(pose_.positions.data(), loop);
    if (!best.empty() && !(twice_area < least)) continue;
    best = loop;
    least = twice_area;
  }
  return best;
}

// The winding number, from the crossings of the half-line u > 0: Dan Sunday. Inclusion of a Point
// in a Polygon. 2001.
bool SectionCutter::encloses(const Axis& axis, const Loop& loop) const {
  const PlaneBasis plane = basis_of_plane(axis.direction);
  struct Flat {
    double u, v;
  };
  const auto flat = [&](const CutPoint& cut) {
    const Vec3<double> from = point_of(pose_, cut.from), to = point_of(pose_, cut.to);
    const Vec3<double> p = fma(cut.lambda, to - from, from) - axis.start;
    return Flat{dot(p, plane.u), dot(p, plane.v)};
  };
  int winding = 0;
  Flat last = flat(loop.back());
  for (const CutPoint& cut : loop) {
    const Flat next = flat(cut);
    const double side = last.u * next.v - next.u * last.v;
    if (last.v <= 0 && next.v > 0 && side > 0) ++winding;
    if (last.v > 0 && next.v <= 0 && side < 0) --winding;
    last = next;
  }
  return winding != 0;
}

}  // namespace skinbake
