// Normals and tangents of a block in the making.

#pragma once

#include "bake/slot.h"

namespace skinbake {

// How many times the mesh's floats they take in a slot.
std::size_t normal_meshes(const Job& job, std::size_t r, const std::vector<FrameSink*>& sinks);

// Some vertices of a run.
struct RunTile {
  std::size_t r;
  VertexRange vertices;
};

// Skinned normals, and tangents, of a run that has room for them. In a call of the kernel of its
// own, whose positions nobody reads: those of a run are the same bits whether its normals are made
// or not. `positions`: room for those of a tile.
void evaluate_normals(const Job& job, Slot& slot, const RunTile& tile, float* positions);

// Geometric normals, if the run has room for them, and the tangents beside them. `positions`: of
// the whole mesh.
void make_geometric_normals(const Job& job, Slot& slot, std::size_t r, const float* positions);

// Gives a sink what it wants of a run, all of it made.
void give_normals(const Slot::Run& run, FrameSink& sink, BlockState& state);

}  // namespace skinbake
