// `diff --match order|surface|auto`: compares files whose vertices do not pair by index.

#pragma once

#include "diff/options.h"

namespace skinbake::cli {

// Returns the exit code. Throws Error and UsageError.
int diff_surfaces(const DiffOptions& options);

}  // namespace skinbake::cli
