// The exact side of a plane on which a point lies.

#pragma once

#include "skinbake/rig.h"

namespace skinbake {

// Returns the exact sign of det [a - d, b - d, c - d]: 1 if a -> b -> c turns clockwise seen from
// d, -1 if counterclockwise, 0 if the four points lie in one plane. Precondition: the coordinates
// are finite, and their products neither overflow nor underflow.
//
// Jonathan Richard Shewchuk. Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates. 1997.
int orient3d(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
             const Vec3<double>& d);

}  // namespace skinbake
