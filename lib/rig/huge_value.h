// The element of a rig that makes a position overflow.

#pragma once

#include <span>
#include <string>

#include "skinbake/rig.h"

namespace skinbake {

// The largest number among the vertex's POSITION, its displacements in morph targets, and the
// inverse bind matrices of `joints`, with its element: "the POSITION of vertex 7 contains 1e+30".
// Empty if the number is one that a model can have: transforms of nodes or morph weights are huge.
std::string huge_value(const Rig& rig, VertexIndex vertex, std::span<const JointIndex> joints);

}  // namespace skinbake
