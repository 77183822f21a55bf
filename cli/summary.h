// The table at the end of a bake.

#pragma once

#include <deque>
#include <string>

#include "bake_job.h"

namespace skinbake::cli {

// One line for each mesh and clip: frames, error, volume loss, MB/s.
std::string summary_text(const Report& report, const std::deque<MeshJobs>& meshes);

// One line for each mesh and modifier: what it changed. Empty without modifiers.
std::string modifiers_text(const Report& report);

// A line for each run and metric of the shape: its worst value, and where.
std::string metrics_text(const Report& report);

// To standard output, or to standard error where a report has standard output for itself. A table
// that cannot be printed is a warning: the outputs are what was asked for, and they are there.
void print_summary(const std::string& text, bool to_stderr);

}  // namespace skinbake::cli
