// Cracks: vertices at one position, on open edges of the surface, that different influences move
// apart.

#pragma once

#include <array>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// Pairs of vertices at one position whose weights differ by more than rounding (weld.h), in the
// order of their positions. The order in which influences are stored does not matter. Both vertices
// end an edge of one triangle: two closed surfaces that touch do not crack. Of a position with many
// different influences, the first 16 are paired with all.
std::vector<std::array<VertexIndex, 2>> cracked_pairs(const Rig& rig);

}  // namespace skinbake
