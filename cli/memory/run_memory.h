// --max-memory: the memory that a run needs, from the counts of its meshes, clips and methods.

#pragma once

#include <deque>

#include "bake/bake_job.h"
#include "skinbake/memory.h"

namespace skinbake::cli {

// Compares the memory of the run with --max-memory before a frame is computed. Sets the memory that
// the limit leaves for the frames in flight and for metrics. Throws Error (kInput, MEMORY_LIMIT),
// which names the mesh that needs most, and the limit that suffices for all.
void require_memory(const BakeOptions& options, const Asset& asset, ResolvedOptions& resolved,
                    std::deque<MeshJobs>& meshes);

// Adds the frames of a page's 3D view, and the page that contains them.
void hold_view(MemoryPlan& plan);

// The plan of one bake beside what `held` has.
MemoryPlan while_baking(const BakeMemory& bake, const Asset& asset, MemoryPlan held);

// The memory that a plan within the limit leaves for frames in flight, in bytes.
std::uint64_t left_for_frames(const MemoryPlan& plan, std::uint64_t limit);

// The largest need of bakes that follow each other: the limit that a refusal names suffices for
// all.
class LargestBake {
 public:
  void add(const Rig& rig, MemoryPlan plan);
  // Throws Error (kInput, MEMORY_LIMIT), which names the mesh. `remedy`: what to do but raise the
  // limit.
  void require(const Asset& asset, std::uint64_t limit, const std::string& remedy) const;

 private:
  const Rig* rig_ = nullptr;
  MemoryPlan plan_;
};

}  // namespace skinbake::cli
