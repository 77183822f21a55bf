// The outputs of a comparison: files, text, exit code.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diff/options.h"
#include "metrics/position_error/percentiles.h"
#include "report/report.h"
#include "report/viewer/viewer.h"

namespace skinbake::cli {

struct Conclusion {
  std::string summary;
  bool differs = false;
  std::optional<ErrorMatrix> matrix = {};  // complete, but not named yet
  const View* view = nullptr;              // of the HTML page; null: none
};

// A report without measurements: the settings, and errors per vertex only if --per-vertex is given.
Report empty_report(const DiffOptions& options);

// The files that the options request.
std::vector<std::string> output_paths(const DiffOptions& options);

// Throws Error (kUsage) if an output would replace an input or another output, and UsageError if
// --per-vertex npy is given without a report file.
void check_outputs(const DiffOptions& options);

// Writes and names the files and prints the summary. Returns the exit code.
int conclude(const DiffOptions& options, Report& report, Conclusion conclusion);

}  // namespace skinbake::cli
