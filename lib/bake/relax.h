// Evaluates methods that smooth the result of another method: the whole mesh, sweep by sweep.

#pragma once

#include "bake/block/block_joints.h"

namespace skinbake {

// The whole mesh several times, [vertex][axis][frame]: after sweep 0, each sweep reads `from` and
// writes `to`.
template <class T>
struct RelaxBuffers {
  AlignedArray<T> base, first, from, to;  // SurfaceArrays
  AlignedArray<T> rest_base, rest;        // empty without morph targets
};

// The positions of methods[m], which relaxes, for a block whose joints are sampled. They lie in
// `buffers`, which are allocated at their first use. `is_finite`: whether all positions of all
// sweeps are finite. T is float, or double for the exact reference.
template <class T>
const T* relaxed_positions(const Job& job, const BlockJoints& joints, std::size_t m,
                           RelaxBuffers<T>& buffers, bool& is_finite);

}  // namespace skinbake
