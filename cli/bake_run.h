// What `bake` and `compare` do: load, resolve, evaluate every frame, report, commit.

#pragma once

#include <deque>
#include <functional>
#include <string>

#include "bake_job.h"
#include "bake_options.h"

namespace skinbake::cli {

// In what they differ.
struct BakeCommand {
  // The table for the terminal.
  std::function<std::string(const Report&, const std::deque<MeshJobs>&)> table;
  // Adds to the report what only this command finds out; may be empty.
  std::function<void(const Asset&, const Resolved&, Report&)> conclude = {};
  // Whether the table is what was asked for: without it no output is written.
  bool is_the_table = false;
};

// Sets the exit code. Throws Error and Cancelled.
void run_bake(BakeOptions options, const BakeCommand& command);

}  // namespace skinbake::cli
