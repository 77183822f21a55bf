// Normals and tangents of a block in the making.

#pragma once

#include "bake/slot.h"

namespace skinbake {

// How many times the mesh's floats they take in a slot.
std::size_t normal_meshes(const Job& job, std::size_t r, const std::vector<FrameSink*>& sinks);

// Finds a run's readers, once its states are there, and makes room for what they take whole.
void add_room_for_normals(const Job& job, std::size_t r, const std::vector<FrameSink*>& sinks,
                          Slot::Run& run);

// Makes skinned normals, and tangents, of a tile, and gives them to those who read tiles. In a call
// of the kernel of its own, whose positions nobody reads: those of a run are the same bits whether
// its normals are made or not.
void give_skinned_tile(const Job& job, Slot& slot, std::size_t r, const FrameBlock& tile,
                       TileScratch& scratch);

// Once all tiles are there: makes geometric normals, and the tangents beside them, of `block`,
// which has the positions of the whole mesh if somebody reads such normals; gives them, and what is
// read whole.
void give_the_rest(const Job& job, Slot& slot, std::size_t r, const FrameBlock& block);

}  // namespace skinbake
