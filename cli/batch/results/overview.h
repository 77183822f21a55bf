// The overview page of a batch: its reports at one look.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/files/output_file.h"
#include "batch/jobs/batch_plan.h"
#include "batch/state/batch_state.h"

namespace skinbake::cli {

// The reports that the tasks write, each once, in the order of the tasks.
std::vector<std::string> reports_of(const BatchPlan& plan, std::span<const std::uint64_t> tasks);

// Throws UsageError if --html is given and no task of the plan writes a report. A shard may lack
// tasks with reports.
void require_reports(const std::string& html, const BatchPlan& plan);

// Adds the overview of the reports of the tasks that are done, and the page of each beside it, to
// the files that are written; nothing if there is none. The report of a failed task is that of an
// earlier run. Throws Error.
void add_overview(const std::string& html, const BatchPlan& plan,
                  std::span<const std::uint64_t> tasks, const BatchState& state,
                  std::uint64_t max_memory, std::vector<OutputFile>& files);

}  // namespace skinbake::cli
