// Memory that the process has freed and still holds.

#pragma once

#include <cstdint>

namespace skinbake::cli {

// Chooses how much freed memory the process keeps for its next allocations, within the figure of
// --max-memory.
void bound_freed_memory(std::uint64_t figure);

// Returns the memory that a pass has freed to the system. Blocks of one pass do not fit into the
// gaps that those of another have left, and the process keeps what it frees.
void release_freed_memory();

// The same if it is more than a sixteenth of the figure: a small task would only request it again.
void release_much_freed_memory(std::uint64_t figure);

}  // namespace skinbake::cli
