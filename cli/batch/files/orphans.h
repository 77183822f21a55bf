// Temporary files that a killed run has left beside the outputs of a batch.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "batch/jobs/batch_plan.h"

namespace skinbake::cli {

// Removes those of the tasks' outputs, with the files beside them, and of `others`, further files
// that a batch writes; empty paths are skipped. Call while no task runs, and while the state is
// locked, so that no other batch writes these outputs.
void remove_orphans(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                    std::span<const std::string> others);

}  // namespace skinbake::cli
