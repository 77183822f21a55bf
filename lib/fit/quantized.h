// Rounds the changes of a rig to the integers that a file with quantize=1 stores.
//
// A corrective is scaled, so that its largest coordinate d is the greatest number of the grid, and
// the keys of its weight are divided by the same factor s:
//
//     T' = round(n T / d) 2^(16 - bits) u      n = 2^(bits - 1) - 1; u = 1 / 32767, or 1 if d > 1
//     w' = w / s                               s = n 2^(16 - bits) u / d >= 1
//
// The rounding moves a vertex by at most sqrt(3) / 2 times d / n, which is far below the error of
// a corrective in any character. Weights stay between 0 and 1. Displacements above 32767 units of
// the mesh stay floats.
//
// Khronos Group. KHR_mesh_quantization. glTF extension, 2020.

#pragma once

#include <vector>

#include "fit/correctives/search.h"
#include "skinbake/clip.h"

namespace skinbake::fit {

// `positions`: of the mesh, to which the base is relative. `bits`: of a coordinate, 2 … 16.
void quantize_correctives(const std::vector<float>& positions, int bits,
                          CorrectiveSearch::Result& correctives);

// Rounds the normals of targets, where they are at most 1.
void quantize_normals(int bits, AddedMorphs& morphs);

// Rounds weights to multiples of 1 / 65535 whose sum is 1. Does nothing if the influences stay.
void quantize_influences(RigChanges& changes);

}  // namespace skinbake::fit
