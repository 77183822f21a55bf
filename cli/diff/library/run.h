// `diff` of two libraries: folders, manifests, or two rigs with several meshes or clips.

#pragma once

#include "diff/options.h"

namespace skinbake::cli {

// Whether the sides or the options name several pairs of meshes and clips.
bool are_libraries(const DiffOptions& options);

// Returns the exit code. Throws Error and UsageError.
int diff_libraries(const DiffOptions& options);

}  // namespace skinbake::cli
