// Normals of posed surfaces, recomputed from their triangles.

#pragma once

#include "rig/corner_groups.h"
#include "skinbake/frames.h"

namespace skinbake {

// Numbers for each group, in `scratch`: three axes of the largest register of doubles.
inline constexpr std::size_t kGroupScratch = 3 * kFramesPerBlock / 2;

struct CornerNormalTask {
  const float* positions = nullptr;  // [vertex][axis][frame] of the whole mesh
  const double* sides = nullptr;     // [joint][frame] -1: the joint mirrors, else 1
  const CornerGroups* groups = nullptr;
  double* scratch = nullptr;  // [group][kGroupScratch]
  // Out: of the same shape as positions, of unit length; zero where there is no surface.
  float* normals = nullptr;
};

// Gives the same bits on every instruction set.
void corner_normals(const CornerNormalTask& task);

}  // namespace skinbake
