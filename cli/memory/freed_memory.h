// The memory that a pass over all frames has freed.

#pragma once

namespace skinbake::cli {

// Returns the memory that a pass has freed to the system. Blocks of one pass do not fit into the
// gaps that those of another have left, and the process keeps what it frees.
void release_freed_memory();

}  // namespace skinbake::cli
