// Evaluates methods that smooth the result of another method: the whole mesh, sweep by sweep.

#pragma once

#include "bake/block_joints.h"

namespace skinbake {

// The whole mesh twice: each sweep reads one array and writes the other.  [vertex][axis][frame]
template <class T>
struct RelaxBuffers {
  AlignedArray<T> from, to;
  AlignedArray<T> rest_from, rest_to;  // empty without morph targets
};

// The positions of methods[m], which relaxes, for a block whose joints are sampled. They lie in
// `buffers`, which are allocated at their first use. `is_finite`: whether all positions of all
// sweeps are finite. T is float, or double for the exact reference.
template <class T>
const T* relaxed_positions(const Job& job, const BlockJoints& joints, std::size_t m,
                           RelaxBuffers<T>& buffers, bool& is_finite);

}  // namespace skinbake
