// What a batch prints: the tasks before they are done, and their results.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "skinbake/tool/batch_plan.h"
#include "skinbake/tool/batch_summary.h"

namespace skinbake::cli {

// A table of the tasks with frames, first output and status.
std::string task_table(const BatchPlan& plan, std::span<const PlannedTask> tasks);

// The numbers of tasks by exit code, and the failed tasks, the worst first, each with its error and
// the command that repeats it. `up_to_date`: tasks that were not done again.
std::string results_table(const BatchPlan& plan, const BatchResults& results,
                          std::uint64_t up_to_date, const std::string& folder);

// Prints a line for each code of the issues: the number of places and the first of them.
void log_batch_issues(const std::vector<BatchIssues>& issues);

}  // namespace skinbake::cli
