// The pose that measurements start from, for metrics that want it undeformed.

#pragma once

#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// POSITION with the default morph weights. [vertex][axis]
std::vector<double> bind_positions(const Rig& rig);
// NORMAL, likewise; of any length. Empty if the mesh has none.
std::vector<double> bind_normals(const Rig& rig);

}  // namespace skinbake
