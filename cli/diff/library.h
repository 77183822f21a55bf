// The comparison of two libraries: its text and its run.

#pragma once

#include <string>

#include "diff/options.h"
#include "report/report.h"

namespace skinbake::cli {

// ---- A comparison of two libraries as text for a terminal.

// A table of the `top` pairs with the largest errors, those over a limit first; the causes of as
// many meshes and clips, the worst pair's first; what only one side has; and the counts.
std::string library_text(const Report& report, int top);

// Logs each pair that could not be compared, and with --fail-missing the number of elements without
// a partner.
void log_library(const LibraryRecord& library);

// ---- `diff` of two libraries: folders, manifests, or two rigs with several meshes or clips.

// Whether the sides or the options name several pairs of meshes and clips.
bool are_libraries(const DiffOptions& options);

// Returns the exit code. Throws Error and UsageError.
int diff_libraries(const DiffOptions& options);

}  // namespace skinbake::cli
