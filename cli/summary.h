// The table at the end of a bake.

#pragma once

#include <deque>
#include <string>

#include "bake_job.h"

namespace skinbake::cli {

// One line for each mesh and clip: frames, error, volume loss, MB/s.
std::string summary_text(const Report& report, const std::deque<MeshJobs>& meshes);

// "run.pc2: 12032 bytes, 12.03 per vertex and frame".
std::string size_text(const CacheWriter& cache, const CacheHeader& header);

// "run.pc2: read back, largest difference 0 m, bound 0 m".
std::string verification_text(const VerificationRecord& record, const std::string& mesh = "");

// One line for each cache: its size; then one for each that was read back.
std::string outputs_text(const Report& report, const std::deque<MeshJobs>& meshes);

// One line for each mesh and modifier: what it changed. Empty without modifiers.
std::string modifiers_text(const Report& report);

// A line for each run and metric of the shape: its worst value, and where.
std::string metrics_text(const Report& report);

// The same where the table itself is what was asked for. Throws Error (kOutput) if standard output
// does not take it.
void print_result(const std::string& text, bool to_stderr);

// To standard output, or to standard error where a report has standard output for itself. A table
// that cannot be printed is a warning, and false: the outputs are what was asked for, and they are
// there.
bool print_summary(const std::string& text, bool to_stderr);

}  // namespace skinbake::cli
