// The text that `bake` prints at its end.

#pragma once

#include <deque>
#include <string>

#include "jobs/bake_job.h"
#include "terminal/console.h"

namespace skinbake::cli {

// A table with a line for each mesh, clip and variant: frames, errors, volume loss, MB/s.
// A table of the bodies; empty if there are none.
std::string bodies_text(const Report& report);

std::string summary_text(const Report& report, const std::deque<MeshJobs>& meshes);

// "run.pc2: 12032 bytes, 12.03 per vertex and frame".
std::string size_text(const CacheWriter& cache, const CacheHeader& header);

// "run.pc2: read back, largest difference 0 m, bound 0 m".
std::string verification_text(const VerificationRecord& record, const std::string& mesh = "");

// A line with the size of each file, then a line for each cache that was verified.
std::string outputs_text(const Report& report, const std::deque<MeshJobs>& meshes);

// A line for each mesh and modifier with its changes. Empty without modifiers.
std::string modifiers_text(const Report& report);

// The numbers that methods chose for a mesh beside those that the user gave: one may follow
// another.
std::string numbers_text(const Report& report);

// A line for each run and metric: its worst value with the frame and the vertex.
std::string metrics_text(const Report& report);

}  // namespace skinbake::cli
