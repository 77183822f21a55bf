// On which side of a plane a point is, exactly.

#pragma once

#include "skinbake/transform.h"

namespace skinbake {

// The sign of det [a - d, b - d, c - d]: 1 if, seen from d, a -> b -> c turns clockwise; 0 if the
// four points are in one plane; never wrong, whatever rounding does.
// Constraint: the coordinates are finite, and their products neither overflow nor underflow.
//
// Jonathan Richard Shewchuk. Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates. 1997.
int orient3d(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
             const Vec3<double>& d);

}  // namespace skinbake
