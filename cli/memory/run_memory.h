// --max-memory: the memory that a bake needs, from the counts of its meshes, clips and methods.

#pragma once

#include <deque>

#include "bake/job.h"

namespace skinbake::cli {

// Compares the memory of the run with --max-memory, mesh by mesh, before a frame is computed.
// Returns the memory that the limit leaves for the frames in flight (BakePlan::block_memory).
// Throws Error (kInput, MEMORY_LIMIT), which names the limit that suffices.
std::uint64_t require_memory(const BakeOptions& options, const Asset& asset,
                             const ResolvedOptions& resolved, std::deque<MeshJobs>& meshes);

}  // namespace skinbake::cli
