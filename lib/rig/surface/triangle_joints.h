// The joints of the corners of triangles.

#pragma once

#include <cstdint>
#include <span>

#include "rig/surface/edges.h"

namespace skinbake {

// The number of joints that influence a corner of a triangle, summed over the triangles.
std::uint64_t count_triangle_joints(const Rig& rig, std::span<const Triangle> triangles);

}  // namespace skinbake
