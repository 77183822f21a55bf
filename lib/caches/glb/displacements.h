// The morph targets of the frames of a block: displacements from frame 0 (the base), as float32.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caches/glb/layout.h"

namespace skinbake {

// Contiguous bytes in memory. The runs of a list are written one after another.
struct MemoryRun {
  const void* data;
  std::size_t size;
};

// Extends the last run if the bytes follow it in memory.
void append_run(std::vector<MemoryRun>& runs, const void* data, std::size_t size);

// The targets of a block, and the runs of their bytes. The offsets of a target count from the
// beginning of the list of runs that contains its bytes.
struct GlbDisplacements {
  std::vector<GlbTarget> targets;  // [frame][primitive]
  std::vector<MemoryRun> dense, sparse_values, sparse_indices;
};

// Replaces `rows` [frame][vertex][axis] by displacements from `bases` [frame], each [vertex][axis].
// For a sparse target, the displacements other than zero are moved to the front of the memory of
// its vertices, and the vertices' indices follow. `out` refers to `rows`. `row_size`: floats per
// frame.
// `scratch`: room for one index of each vertex.
void compute_displacements(std::span<const GlbPrimitive> primitives,
                           std::span<const float* const> bases, std::size_t row_size, float* rows,
                           std::span<std::uint32_t> scratch, GlbDisplacements& out);

}  // namespace skinbake
