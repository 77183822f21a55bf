// The point of a triangle that is closest to a given point.

#pragma once

#include <array>
#include <cstddef>

#include "compare/surface/surfaces.h"

namespace skinbake {

// A point of a triangle as the weights of its corners, which sum to 1.
struct ClosestPoint {
  std::array<double, 3> weights{1, 0, 0};
  double squared_distance = 0;
};

// Christer Ericson. Real-Time Collision Detection. 2005. Section 5.1.5. Triangles without an area
// are lines or points. Precondition: coordinates are finite.
ClosestPoint closest_point(const Vec3<double>& p, const std::array<Vec3<double>, 3>& triangle);

// The same weights as multiples of 2^-24 that sum to 1 (SurfacePoint).
SurfacePoint snapped(const std::array<VertexIndex, 3>& corners,
                     const std::array<double, 3>& weights);

}  // namespace skinbake
