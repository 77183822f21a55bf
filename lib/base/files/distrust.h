// Folders and files that another user may have written.

#pragma once

#include <sys/stat.h>

#include <string>

namespace skinbake {

// Says why another user than this one and root may have written a file or a folder; empty: none can
// have. The group of this user may write, as ssh allows for its files.
std::string distrust_of(const struct stat& status);

}  // namespace skinbake
