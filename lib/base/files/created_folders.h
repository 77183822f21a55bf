// The folders that the process has created, by which a signal that ends it removes empty ones.

#pragma once

namespace skinbake {

// Removes the folders that are empty. For a process that then ends at once: a thread that creates
// a folder afterwards waits for ever.
void abandon_created_folders();

}  // namespace skinbake
