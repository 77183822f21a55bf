// Methods that smooth what another one has made: the whole mesh, sweep by sweep.

#pragma once

#include "bake/evaluate.h"

namespace skinbake {

// Calls visit(VertexRange) for every tile of a mesh, on several threads.
void for_each_tile(VertexIndex vertex_count, const std::function<void(VertexRange)>& visit);

// A whole mesh twice: sweeps go from one array to the other.  [vertex][axis][frame]
template <class T>
struct RelaxBuffers {
  AlignedArray<T> from, to;
  AlignedArray<T> rest_from, rest_to;  // empty without morph targets
};

// The positions of a method that relaxes, for a block whose joints are sampled. They lie in
// `buffers`, which is given its size when it is used first. `finite` becomes false if a position is
// not finite.
const float* relaxed(const Job& job, const BlockJoints& joints, std::size_t m,
                     RelaxBuffers<float>& buffers, bool& finite);
const double* relaxed(const Job& job, const BlockJoints& joints, std::size_t m,
                      RelaxBuffers<double>& buffers);

}  // namespace skinbake
