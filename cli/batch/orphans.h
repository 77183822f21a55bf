// Temporary files that a killed run has left beside the outputs of a batch.

#pragma once

#include <cstdint>
#include <span>

#include "skinbake/tool/batch_plan.h"

namespace skinbake::cli {

// Removes them. Call while no task runs, and while the state is locked, so that no other batch
// writes these outputs.
void remove_orphans(const BatchPlan& plan, std::span<const std::uint64_t> tasks);

}  // namespace skinbake::cli
