// The partner of a point on another surface: the closest point that faces the same way and follows
// the same joints.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "compare/surface/closest_point.h"
#include "compare/surface/match/weight_difference.h"
#include "compare/surface/surfaces.h"
#include "metrics/shape/triangle_tree.h"

namespace skinbake {

// A surface in which partners are searched. `surface` must outlive it.
class PartnerSearch {
 public:
  explicit PartnerSearch(const BindSurface& surface);

  const BindSurface& surface() const { return surface_; }

  struct Partner {
    SurfacePoint point;
    bool faces_away = false;
  };

  // The state of one thread.
  struct Scratch {
    explicit Scratch(const PartnerSearch& search) : weights(search.surface().joint_id_count) {}

    struct Candidate {
      std::uint32_t triangle = 0;
      ClosestPoint closest;
      double distance = 0;
      double weight_difference = 0;
    };
    WeightDifference weights;
    std::vector<Candidate> candidates;
  };

  // `of`: the surface of `point`; its normal there is of unit length, or 0 if unknown.
  // Precondition: the surface has triangles.
  Partner partner_of(const BindSurface& of, const SurfacePoint& point, const Vec3<double>& normal,
                     Scratch& scratch) const;

  // The triangles that all calls have looked at. Where thousands of triangles share a place, each
  // of its points looks at all of them.
  std::uint64_t visits() const { return visits_.load(std::memory_order_relaxed); }

 private:
  struct Nearest {
    double any, facing;  // squared distances
  };

  ClosestPoint closest_on(std::uint32_t triangle, const Vec3<double>& p) const;
  bool faces(std::uint32_t triangle, const Vec3<double>& normal) const;
  Nearest nearest(const Vec3<double>& p, const Vec3<double>& normal) const;
  void gather(const Vec3<double>& p, const Vec3<double>& normal, bool facing, double radius,
              Scratch& scratch) const;
  const Scratch::Candidate& choose(Scratch& scratch) const;

  const BindSurface& surface_;
  TriangleTree tree_;
  std::vector<TriangleBox> boxes_;
  std::vector<Vec3<double>> normals_;  // [triangle] of unit length; 0 without an area
  double tolerance_m_, rounding_m_, reach_m_;
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
