// `compare --lods`: a table of how far levels of detail are from their rig, at rest and in motion.

#pragma once

#include "compare/options.h"

namespace skinbake::cli {

// Returns the exit code. Throws Error and UsageError.
int compare_lods(CompareOptions options);

}  // namespace skinbake::cli
