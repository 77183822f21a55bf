// Normals beside the positions of a bake, for the few sinks that look at them.

#pragma once

#include "skinbake/frames.h"

namespace skinbake {

// A FrameSink that is one of these too is given the normals of every block, as the method turns
// them.
class NormalReader {
 public:
  virtual ~NormalReader() = default;

  // Before `finish` of the same block, by the same thread. `normals`: of the whole mesh, in the
  // plan's space, [vertex][axis][frame] as FrameBlock's positions; of unit length, or zero where a
  // joint is scaled to nothing. Null if the mesh has none or the method does not turn them. They
  // stay until `merge` of the block.
  virtual void read_normals(const float* normals, BlockState& state) = 0;
};

}  // namespace skinbake
