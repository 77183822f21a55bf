// Makes moved tangents perpendicular to the normals, and of unit length:
//
//     t' = (A t - n (n . A t)) / |A t - n (n . A t)|    A t  tangent moved by the kernels
//                                                       n    unit normal
//
// n, t' and the bitangent w (n x t') are then orthogonal, as renderers expect (Khronos Group. glTF
// 2.0 specification, 3.7.2.1). Every frame has the file's w, also where A mirrors: morph targets do
// not change w, and renderers keep it when a node mirrors.

#pragma once

#include <cstddef>

namespace skinbake {

// Computes in double. A tangent that is parallel to its normal, or not finite, is replaced by the
// axis from which the normal is farthest, made perpendicular. Zero normals and vertices without
// tangents: see NormalReader.
struct TangentTask {
  const float* normals = nullptr;  // [vertex][axis][frame]
  const float* rest = nullptr;     // [vertex][x, y, z, w] of Mesh::tangents
  std::size_t vertices = 0;
  float* tangents = nullptr;  // in and out, [vertex][axis][frame]
};
void finish_tangents(const TangentTask& task);

}  // namespace skinbake
