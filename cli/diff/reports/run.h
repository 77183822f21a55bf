// `diff` of two reports.

#pragma once

#include "diff/options.h"

namespace skinbake::cli {

// Returns the exit code. Throws Error.
int diff_reports(const DiffOptions& options);

}  // namespace skinbake::cli
