// --max-memory: the memory that a comparison of frames needs, from the counts of its files.

#pragma once

#include <cstdint>

#include "diff/frames/compared.h"

namespace skinbake::cli {

// Compares the files that are open, the search for another order of vertices, and every pass over
// the frames with --max-memory, before a frame is evaluated or read. Returns the memory that the
// limit leaves for the frames in flight. Throws Error (kInput, MEMORY_LIMIT), which names the limit
// that suffices.
std::uint64_t require_compared_memory(const DiffOptions& options, const Compared& c);

}  // namespace skinbake::cli
