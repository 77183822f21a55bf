// The files of a batch itself: its manifest, states and results.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "batch/jobs/batch_plan.h"
#include "batch/options.h"

namespace skinbake::cli {

// `manifest`: of the command line, "-" for standard input; the current folder is that of the
// manifest, and the facts of the rigs and the tasks are known. The web page
// of all reports has pages of the reports of `tasks` beside it. Empty paths and "-" are left out.
// Throws Error (kUsage): OUTPUT_IS_INPUT if a result would replace the manifest, a
// state, a file of options, a file of a rig of `plan` or a file that a task's settings name;
// OUTPUT_TWICE if two of them are one file or standard output.
BatchFiles own_files(const std::string& manifest, const std::vector<std::string>& states,
                     const BatchPages& pages, const BatchPlan& plan,
                     std::span<const std::uint64_t> tasks);

}  // namespace skinbake::cli
