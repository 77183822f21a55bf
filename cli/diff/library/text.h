// A comparison of two libraries as text for a terminal.

#pragma once

#include <string>

#include "report/report.h"

namespace skinbake::cli {

// A table of the `top` pairs with the largest errors, those over a limit first; the causes of as
// many meshes and clips, those of the worst pair first; what only one side has; and the counts.
std::string library_text(const Report& report, int top);

// Logs each pair that could not be compared, and with --fail-missing the number of elements without
// a partner.
void log_library(const LibraryRecord& library);

}  // namespace skinbake::cli
