// From the frames of a block to morph targets: differences from frame 0, in the place of the rows.

#pragma once

#include <span>
#include <vector>

#include "caches/glb_layout.h"

namespace skinbake {

// Bytes that follow one another in memory, to be written one after another.
struct GlbRun {
  const void* data;
  std::size_t size;
};

// Makes the last run longer where the bytes follow on it.
void add_run(std::vector<GlbRun>& runs, const void* data, std::size_t size);

struct GlbDeltas {
  std::vector<GlbTarget> targets;  // [frame][primitive]
  std::vector<GlbRun> dense, values, indices;
};

GlbBounds bounds_of(const float* positions, std::size_t vertices);

// `rows` [frame][vertex][axis] become differences from `base`; of sparse targets, the values and
// then their indices. The runs show what is to be written; offsets are those in the three views.
// `scratch` has room for one index of each vertex.
void make_deltas(std::span<const GlbPrimitive> primitives, const float* base, std::size_t row_size,
                 std::span<float> rows, std::span<std::uint32_t> scratch, GlbDeltas& out);

}  // namespace skinbake
