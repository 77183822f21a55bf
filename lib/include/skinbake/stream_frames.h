// Streams existing frames into sinks, as `bake` streams computed ones.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "skinbake/frames.h"

namespace skinbake {

// Pointers are not owned; everything they point to must outlive the call.
struct StreamPlan {
  const FrameSource* frames = nullptr;
  const FrameSource* reference = nullptr;  // FrameBlock::reference of the blocks; may be null
  std::vector<FrameSink*> sinks;
  int threads = 0;  // the largest number of threads; 0: one per processor
  // Called after each block, by one thread at a time; may be empty.
  std::function<void(std::int64_t frames_done)> progress;
  // Checked once per block and sink end; stream_frames then throws Cancelled. May be null.
  const std::atomic<bool>* cancelled = nullptr;
};

// Throws Error (kUsage, PLAN_INVALID) with a list of the conditions that do not hold:
// - frames is not null; reference is null, or has as many frames and vertices;
// - no sink is null;
// - threads is not negative.
void validate(const StreamPlan& plan);

// Feeds every frame to the sinks, in blocks and tiles. Memory is bounded by the mesh and the number
// of threads. The result does not depend on the number of threads.
// Throws Error (kUsage, PLAN_INVALID) as `validate` does, Cancelled, and what sources and sinks
// throw.
void stream_frames(const StreamPlan& plan);

// Whether two sources have the same bytes, and every number is finite. Reads at the speed of the
// sources, and stops at the first difference that it finds. threads: as in StreamPlan.
// Precondition: the sources have equal counts of frames and vertices. Throws Cancelled, and what
// the sources throw.
bool are_identical(const FrameSource& a, const FrameSource& b, int threads,
                   const std::atomic<bool>* cancelled = nullptr);

}  // namespace skinbake
