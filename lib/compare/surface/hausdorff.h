// The Hausdorff distance of surfaces, and the prisms that bound distances over a triangle.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "compare/surface/surfaces.h"
#include "math/scalar.h"
#include "skinbake/frames.h"
#include "skinbake/metrics.h"

namespace skinbake {

// ---- Whether some triangles are near all points of a flat part of a surface.
//
// The distance to one triangle is a convex function, so on a convex polygon it is largest at a
// corner. The prisms over the triangles, along the part's normal, cut the part into polygons, one
// for each triangle. The cuts decide only how many polygons succeed: the bound holds however they
// lie.

class PrismCover {
 public:
  using Corners = std::array<Vec3<double>, 3>;

  // The largest distance of the part's points from the triangles, if it can be shown to be within
  // the limit; else infinity. `slack`: how far a polygon may reach over a triangle's side, so that
  // rounding leaves no slivers between triangles.
  double bound(const Corners& part, std::span<const Corners> triangles, double limit, double slack);

 private:
  static constexpr std::size_t kMostCorners = 12, kMostPolygons = 48;

  struct Polygon {
    std::array<Vec3<double>, kMostCorners> corners;
    std::size_t count = 0;

    void add(const Vec3<double>& p) { corners[count++] = p; }
  };
  // A point is inside if dot(normal, p) >= offset.
  struct Plane {
    Vec3<double> normal;
    double offset = 0;
  };
  using Prism = std::array<Plane, 3>;

  static bool split(const Polygon& polygon, const Plane& plane, Polygon& inside, Polygon& outside);
  bool cut(const Polygon& polygon, const Prism& prism);

  std::vector<Polygon> left_, next_, pieces_;
  Polygon inside_;
};

// ---- The Hausdorff distance of two surfaces in every frame: the largest distance from a point of
// either surface to the nearest point of the other. It does not see a surface that slides along the
// other; pairs of points (surfaces.h) do, but overstate where pairs are wrong.

// The distance, metres, is not below `lower` and not above `upper`.
struct HausdorffBounds {
  double lower = 0, upper = 0;
};

// Points of a surface, [vertex], and its triangles.
struct PosedSurface {
  std::span<const Vec3<double>> points;
  std::span<const std::array<VertexIndex, 3>> triangles;
};

// The bounds of two surfaces, at most `tolerance_m` apart; farther apart only if a surface needs
// more than 100 000 parts and 64 for each of its triangles, or if 100 000 parts and one for each of
// its triangles are undecided at a time, as where many large faces cross.
// Preconditions: both have triangles, the coordinates are finite, tolerance_m > 0.
HausdorffBounds hausdorff_distance(const PosedSurface& a, const PosedSurface& b,
                                   double tolerance_m);

struct HausdorffPlan {
  const BindSurface* a = nullptr;
  const BindSurface* b = nullptr;
  const FrameSource* a_frames = nullptr;  // the vertices of a
  const FrameSource* b_frames = nullptr;
  std::int64_t frame_count = 0;
  double tolerance_m = 0;
  int threads = 0;  // 0: one per processor
  std::function<void(std::int64_t frames_done)> progress = {};
};

// [frame] The result does not depend on the number of threads. Throws Error (kInput,
// NON_FINITE_POSITION), and what the sources throw.
std::vector<HausdorffBounds> hausdorff_distances(const HausdorffPlan& plan);

MetricResult hausdorff_section(const HausdorffBounds& at_rest,
                               const std::vector<HausdorffBounds>& frames, double tolerance_m,
                               double diagonal_m);

}  // namespace skinbake
