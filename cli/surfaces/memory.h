// --max-memory: the memory that a comparison of surfaces needs, from the counts of its files.

#pragma once

#include <cstdint>
#include <string_view>

#include "surfaces/comparison.h"

namespace skinbake::cli {

// The consumer of what options.load.memory_taken says of other files.
inline constexpr std::string_view kOtherFiles = "the other files";

// Adds the files and their surfaces to c.memory. Compares them and the search for pairs with
// --max-memory, before the surfaces are made. Returns the bytes of all without the pairs. Throws
// Error (kInput, MEMORY_LIMIT), which names the limit that suffices.
std::uint64_t require_search_memory(const SurfaceOptions& options, SurfaceComparison& c);

// Adds the pairs of points and the results to c.memory.
void hold_results(const SurfaceOptions& options, SurfaceComparison& c);

// Compares every pass over the frames with --max-memory. Returns the memory that the limit leaves
// for the frames in flight. Throws Error (kInput, MEMORY_LIMIT).
std::uint64_t require_frame_memory(const SurfaceOptions& options, const SurfaceComparison& c);

}  // namespace skinbake::cli
