// Whether some triangles are near all points of a flat part of a surface.
//
// The distance to one triangle is a convex function, so on a convex polygon it is largest at a
// corner. The part is cut by the prisms over the triangles, along the part's normal, into polygons
// that each have a triangle of their own. The cuts decide only how many polygons succeed: the bound
// holds however they lie.

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "math/scalar.h"

namespace skinbake {

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

}  // namespace skinbake
