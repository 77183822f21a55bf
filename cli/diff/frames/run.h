// `diff` of two caches or rigs, frame by frame and vertex by vertex.

#pragma once

#include "diff/options.h"

namespace skinbake::cli {

// Returns the exit code. Throws Error and UsageError.
int diff_frames(const DiffOptions& options);

}  // namespace skinbake::cli
