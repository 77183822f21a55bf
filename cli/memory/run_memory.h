// --max-memory: the memory that a run needs, from the counts of its meshes, clips and methods.

#pragma once

#include <deque>

#include "bake/job.h"
#include "skinbake/memory.h"

namespace skinbake::cli {

// Compares the memory of the run with --max-memory, mesh by mesh, before a frame is computed. Sets
// the memory that the limit leaves for the frames in flight and for metrics. Throws Error (kInput,
// MEMORY_LIMIT), which names the limit that suffices.
void require_memory(const BakeOptions& options, const Asset& asset, ResolvedOptions& resolved,
                    std::deque<MeshJobs>& meshes);

// Adds the frames of a page's 3D view, and the page that contains them.
void hold_view(MemoryPlan& plan);

// The same for one bake beside what `held` has. `remedy`: what to do but raise the limit. Returns
// the memory that is left for frames in flight.
std::uint64_t require_memory(const Rig& rig, const BakeMemory& bake, const Asset& asset,
                             MemoryPlan held, std::uint64_t limit, const std::string& remedy);
std::uint64_t require_memory(const BakePlan& bake, const Asset& asset, MemoryPlan held,
                             std::uint64_t limit, const std::string& remedy);

}  // namespace skinbake::cli
