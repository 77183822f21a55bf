// Normals and tangents of a block that is being computed.

#pragma once

#include "bake/block/baked_block.h"

namespace skinbake {

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
