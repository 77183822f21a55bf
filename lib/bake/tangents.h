// Tangents that were moved become those of a surface with such normals:
//
//     t' = (A t - n (n . A t)) / |A t - n (n . A t)|    A t  what the kernels give
//                                                       n    the unit normal
//
// so that n, t' and the bitangent w (n x t') stand upright on each other, as renderers take them
// (Khronos Group. glTF 2.0 specification, 3.7.2.1). Their w is the file's in every frame, also
// where A mirrors: a morph target cannot change it, nor do renderers when a node mirrors.

#pragma once

#include <cstddef>

namespace skinbake {

// Some vertices, in double inside. A tangent along its normal, or one that is not finite, becomes a
// vector across: of the axis from which the normal is farthest. See NormalReader for the rest.
struct TangentTask {
  const float* normals = nullptr;  // [vertex][axis][frame]
  const float* rest = nullptr;     // [vertex][x, y, z, w], as a Mesh has them
  std::size_t vertices = 0;
  float* tangents = nullptr;  // in and out, [vertex][axis][frame]
};
void finish_tangents(const TangentTask& task);

}  // namespace skinbake
