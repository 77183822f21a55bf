// `diff GOLDEN CACHE`.

#pragma once

#include "diff/options.h"

namespace skinbake::cli {

// Returns the exit code. Throws Error and UsageError.
int diff_golden(const DiffOptions& options);

}  // namespace skinbake::cli
