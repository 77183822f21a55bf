// What becomes of a comparison: its files, its text, the exit code.

#pragma once

#include <optional>
#include <string>

#include "diff_options.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

struct Conclusion {
  std::string summary;
  bool differs = false;
  std::optional<ErrorMatrix> matrix = {};  // written, without its name
};

// Throws Error (kUsage) if an output would replace an input or another output, and
// CLI::ValidationError if the errors per vertex have no report to lie beside.
void check_outputs(const DiffOptions& options);

// Writes and names the files, prints the summary, sets the exit code.
void conclude(const DiffOptions& options, Report& report, Conclusion conclusion);

}  // namespace skinbake::cli
