// Points of a surface that are dense enough to stand for it.

#pragma once

#include <cstdint>
#include <vector>

#include "compare/surface/surfaces.h"

namespace skinbake {

// All vertices, in their order; then points that divide edges longer than the spacing into equal
// parts, once for the triangles that share the edge; then points inside triangles with such an
// edge, on a grid that divides every edge of the triangle into as many parts as its longest.
// Precondition: spacing_m > 0.
std::vector<SurfacePoint> sample_surface(const BindSurface& surface, double spacing_m);

}  // namespace skinbake
