// Welding: file vertices that are one point of the surface.

#pragma once

#include <cstdint>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

struct Weld {
  std::vector<VertexIndex> welded;     // [vertex] the lowest vertex that is the same point
  std::int64_t count = 0;              // points
  std::int64_t cracked_positions = 0;  // positions at which there are different influences
};

// Which influences of two vertices must be equal for them to be one point.
enum class WeldBy {
  kFile,   // as the file has them, before they were divided by their sum: for measurements
  kFinal,  // as they are now, after modifiers: what moves together, for methods
};

// Vertices are one point if their positions (-0 = 0), their influences (zeros dropped, in any
// order) and their position morph deltas are equal as numbers.
Weld weld_vertices(const Rig& rig, WeldBy by);

}  // namespace skinbake
