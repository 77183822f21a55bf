// Frames that are there already, streamed into sinks as `bake` streams those that it computes.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "skinbake/frames.h"

namespace skinbake {

struct PlayPlan {
  const FrameSource* frames = nullptr;
  const FrameSource* reference = nullptr;  // of equal counts: the blocks' reference; may be null
  std::vector<FrameSink*> sinks;
  int threads = 0;  // 0: as many as there are processors
  std::function<void(std::int64_t frames_done)>
      progress;                                  // from one thread at a time; may be empty
  const std::atomic<bool>* cancelled = nullptr;  // checked once a block and end; throws Cancelled
};

// Feeds every frame to the sinks, in blocks and tiles. Memory is bounded by the mesh and the number
// of threads; the result does not depend on the threads. Throws what the sources and sinks throw.
void play(const PlayPlan& plan);

// Whether two sources of equal counts have the same bytes, all of them finite numbers: at the speed
// of reading, and no further than to the first difference that is met. 0 threads: as many as there
// are processors.
bool are_identical(const FrameSource& a, const FrameSource& b, int threads,
                   const std::atomic<bool>* cancelled = nullptr);

}  // namespace skinbake
