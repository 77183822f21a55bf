// Normals of posed surfaces, computed from their triangles.

#pragma once

#include "rig/surface/weld.h"
#include "skinbake/frames.h"

namespace skinbake {

// The number of doubles in `scratch` for each group: three axes of the widest register.
inline constexpr std::size_t kGroupScratch = 3 * kFramesPerBlock / 2;

struct CornerNormalTask {
  const float* positions = nullptr;  // [vertex][axis][frame] of the whole mesh
  const double* sides = nullptr;     // [joint][frame] -1 if the joint mirrors, else 1
  const CornerGroups* groups = nullptr;
  double* scratch = nullptr;  // [group][kGroupScratch]
  // Output: [vertex][axis][frame], of unit length; zero where the surface does not have a normal.
  // Vertices without triangles are not written.
  float* normals = nullptr;
};

// Computes all normals of a block. The result is the same on every instruction set.
void corner_normals(const CornerNormalTask& task);

}  // namespace skinbake
