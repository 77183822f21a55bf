// `bake` and `compare`: load, evaluate every frame, report, write.

#pragma once

#include <deque>
#include <functional>
#include <string>

#include "jobs/bake_job.h"
#include "jobs/options.h"

namespace skinbake::cli {

// The differences between `bake` and `compare`.
struct BakeCommand {
  // Returns the table for the terminal.
  std::function<std::string(const Report&, const std::deque<MeshJobs>&)> table;
  // Completes the report; may be empty.
  std::function<void(Report&)> conclude = {};
};

// Returns the exit code. Throws Error and UsageError.
int run_bake(BakeOptions options, const BakeCommand& command);

}  // namespace skinbake::cli
