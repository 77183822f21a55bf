// Welding finds file vertices that are one point of the surface.

#pragma once

#include <cstdint>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

struct Weld {
  std::vector<VertexIndex> welded;     // [vertex] the lowest vertex of the same point
  std::int64_t count = 0;              // number of points
  std::int64_t cracked_positions = 0;  // positions whose vertices have different influences
};

// The influences that must be equal for two vertices to be one point.
enum class WeldBy {
  kFile,   // before modifiers: for measurements
  kFinal,  // after modifiers: for methods
};

// Vertices are one point if their positions (-0 = 0) and their position morph deltas are equal as
// numbers, and if their weights, divided by their sum, differ by at most 1e-7.
Weld weld_vertices(const Rig& rig, WeldBy by);

}  // namespace skinbake
