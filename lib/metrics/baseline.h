// The bind pose without the transform K, for metrics that apply joint transforms themselves.

#pragma once

#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// Returns POSITION with the default morph weights. [vertex][axis]
std::vector<double> bind_positions(const Rig& rig);
// Returns NORMAL with the default morph weights, not normalised. Empty if the mesh does not have
// normals. [vertex][axis]
std::vector<double> bind_normals(const Rig& rig);

}  // namespace skinbake
