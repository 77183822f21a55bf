// The overview page of a batch: its reports at one look.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "skinbake/tool/batch/batch_plan.h"

namespace skinbake::cli {

// The reports that the tasks write, each once, in the order of the tasks.
std::vector<std::string> reports_of(const BatchPlan& plan, std::span<const std::uint64_t> tasks);

// Throws UsageError if --html is given and no task writes a report.
void require_reports(const std::string& html, const BatchPlan& plan,
                     std::span<const std::uint64_t> tasks);

// Writes the overview of the reports that exist, and the page of each beside it; nothing if no task
// has left one. Throws Error.
void write_overview(const std::string& html, const BatchPlan& plan,
                    std::span<const std::uint64_t> tasks, std::uint64_t max_memory);

}  // namespace skinbake::cli
