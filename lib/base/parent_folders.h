// The missing folders of outputs.

#pragma once

#include <string>

namespace skinbake {

// Creates the missing folders of a file, as mkdir -p does. Throws Error (kOutput,
// OUTPUT_NOT_WRITTEN).
void create_parents_of(const std::string& path);

// Removes the empty folders that this process has created: a failed run leaves them. Call while no
// output is open.
void remove_empty_folders();

// The same for a process that then ends at once: a thread that creates a folder afterwards waits
// for ever.
void abandon_created_folders();

}  // namespace skinbake
