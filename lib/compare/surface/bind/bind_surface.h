// The size of a surface.

#pragma once

#include <vector>

#include "compare/surface/surfaces.h"

namespace skinbake {

// The diagonal of the bounding box. Precondition: there is a position.
double diagonal_of(const std::vector<Vec3<double>>& positions);

}  // namespace skinbake
