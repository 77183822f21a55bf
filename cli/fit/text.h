// The results of a fit as text.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/write/fit_report.h"
#include "skinbake/fit.h"

namespace skinbake::cli {

// A table, its heads first: for each mesh and clip the error before and after, with the place of
// the largest one. Clips that the fit does not contain follow, if it moves them.
std::vector<std::vector<std::string>> rows_of(const FitReport& report);
// The same for a terminal.
std::string table_of(const FitReport& report);

// What the table does not have, as lines: why there are fewer correctives than requested, helper
// joints, fitted influences, what was chosen, what was left out, and the bytes. `path`: of the
// output, as the user gave it.
std::vector<std::string> lines_of(const FitReport& report, const std::string& path);

// The bytes of the positions of all vertices and frames in float32.
std::uint64_t cache_bytes(std::span<const FitResult> results);

}  // namespace skinbake::cli
