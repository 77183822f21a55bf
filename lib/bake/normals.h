// Normals and tangents of a block that is being computed.

#pragma once

#include <cstddef>

#include "bake/block/baked_block.h"

namespace skinbake {

// ---- Makes moved tangents perpendicular to the normals, and of unit length:
//
//     t' = (A t - n (n . A t)) / |A t - n (n . A t)|    A t  tangent moved by the kernels
//                                                       n    unit normal
//
// n, t' and the bitangent w (n x t') are then orthogonal, as renderers expect (Khronos Group. glTF
// 2.0 specification, 3.7.2.1). Every frame has the file's w, also where A mirrors: morph targets do
// not change w, and renderers keep it when a node mirrors.

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

// ---- The normals and tangents of a block

// Finds the readers of a run's normals, and allocates the arrays of the whole mesh that they need.
// states: [sink]
void add_room_for_normals(const Job& job, std::size_t r, const std::vector<FrameSink*>& sinks,
                          const std::vector<std::unique_ptr<BlockState>>& states,
                          BakedBlock::Run& run);

// Computes skinned normals, and tangents, of a tile, and streams them to the sinks that read tiles.
// The kernel is called a second time, and the positions that it writes are discarded: a run's
// positions have the same bits with and without normals.
void stream_skinned_normals(const Job& job, BakedBlock& baked, std::size_t r,
                            const FrameBlock& tile, TileScratch& scratch);

// Called after the last tile. Computes geometric normals and their tangents. Passes them to the
// sinks, and also the skinned normals that a sink needs whole. `block` has the positions of the
// whole mesh if a sink reads geometric normals.
void finish_normals(const Job& job, BakedBlock& baked, std::size_t r, const FrameBlock& block);

}  // namespace skinbake
