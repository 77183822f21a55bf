// The closest points of another surface that move alike, and samples of surfaces.

#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "compare/surface/closest_point.h"
#include "compare/surface/surfaces.h"
#include "metrics/shape/triangle_tree.h"

namespace skinbake {

// ---- How differently two points are weighted, with the joints of both surfaces as one set.

// 1 - sum over joints j of min(a_j, b_j): 0 for equal weights, 1 without a common joint. Half the
// sum of |a_j - b_j|, because weights sum to 1. One object per thread.
class WeightDifference {
 public:
  explicit WeightDifference(std::uint32_t joint_id_count)
      : own_(joint_id_count, 0), other_(joint_id_count, 0) {}

  // The point with which `of` compares.
  void set(const BindSurface& surface, const SurfacePoint& point) {
    for (const std::uint32_t id : own_ids_) own_[id] = 0;
    own_ids_.clear();
    add(surface, point, own_, own_ids_);
  }

  double of(const BindSurface& surface, const SurfacePoint& point) {
    add(surface, point, other_, other_ids_);
    double common = 0;
    for (const std::uint32_t id : other_ids_) {
      common += std::min(own_[id], other_[id]);
      other_[id] = 0;  // an id may be listed twice
    }
    other_ids_.clear();
    return 1 - common;
  }

 private:
  static void add(const BindSurface& surface, const SurfacePoint& point, std::vector<double>& sums,
                  std::vector<std::uint32_t>& ids) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (point.weights[i] == 0) continue;
      for (const Influence& influence : surface.influences_of(point.corners[i])) {
        const std::uint32_t id = surface.joint_ids[influence.joint];
        sums[id] += point.weights[i] * influence.weight;
        ids.push_back(id);
      }
    }
  }

  std::vector<double> own_, other_;  // [joint id]
  std::vector<std::uint32_t> own_ids_, other_ids_;
};

// ---- Points of a surface that are dense enough to stand for it.

// All vertices, in their order; then points that divide edges longer than the spacing into equal
// parts, once for the triangles that share the edge; then points inside triangles, in rows along
// the longest edge. Points of one heaviest joint count once in a cell of an eighth of the spacing:
// the number of points inside edges and triangles follows the area, however many triangles cover
// it. No place of the surface is farther than the spacing from a point. Precondition: spacing_m >
// 0.
std::vector<SurfacePoint> sample_surface(const BindSurface& surface, double spacing_m);

// ---- The partner of a point on another surface: of the points that are about as near as the
// nearest, the one that faces the same way and follows the same joints.

// A surface in which partners are searched. `surface` must outlive it.
class PartnerSearch {
 public:
  explicit PartnerSearch(const BindSurface& surface);

  const BindSurface& surface() const { return surface_; }

  // The distance of the nearest point of the surface, or up to a millionth more.
  // Precondition: the surface has triangles.
  double distance_of(const Vec3<double>& p) const;

  struct Partner {
    SurfacePoint point;
    bool faces_away = false;
  };

  struct Candidate {
    std::uint32_t triangle = 0;
    ClosestPoint closest;
    double distance = 0;
    double weight_difference = 0;
  };

  // The state of one thread.
  struct Scratch {
    explicit Scratch(const PartnerSearch& search) : weights(search.surface().joint_id_count) {}

    WeightDifference weights;
    std::vector<Candidate> candidates;
  };

  // The distances that a partner may have, metres. `nearest`: distance_of the point.
  struct Band {
    double nearest = 0, farthest = 0;
  };

  // Of the points within the band: those whose normal is within 60 degrees, if there are any; of
  // these, those with the most similar weights; of these, the nearest.
  // `of`: the surface of `point`; its normal there is of unit length, or 0 if unknown.
  Partner partner_of(const BindSurface& of, const SurfacePoint& point, const Vec3<double>& normal,
                     const Band& band, Scratch& scratch) const;

  // The triangles that all calls have looked at. Where thousands of triangles with different
  // weights share a place, each of its points looks at all of them.
  std::uint64_t visits() const { return visits_.load(std::memory_order_relaxed); }

 private:
  ClosestPoint closest_on(std::uint32_t triangle, const Vec3<double>& p) const;
  bool faces(std::uint32_t triangle, const Vec3<double>& normal) const;
  double weight_difference(const Candidate& candidate, Scratch& scratch) const;
  std::optional<Candidate> nearest(const Vec3<double>& p, const Vec3<double>& normal,
                                   const Band& band) const;
  void gather(const Vec3<double>& p, const Vec3<double>& normal, double farthest,
              Scratch& scratch) const;
  const Candidate& choose(Scratch& scratch) const;

  const BindSurface& surface_;
  TriangleTree tree_;
  std::vector<OrientedBox> boxes_;
  std::vector<Vec3<double>> normals_;  // [triangle] of unit length; 0 without an area
  double rounding_m_;
  mutable std::atomic<std::uint64_t> visits_ = 0;
};

// False if the corners of a triangle are on a line, within the rounding of their positions.
bool has_area(const BindSurface& surface, const std::array<VertexIndex, 3>& triangle);

// The normals of a surface's points, from its triangles: of unit length, or 0.
class PointNormals {
 public:
  explicit PointNormals(const BindSurface& surface);
  Vec3<double> of(const SurfacePoint& point) const;

 private:
  const BindSurface& surface_;
  std::vector<Vec3<double>> normals_;  // [vertex]
};

}  // namespace skinbake
