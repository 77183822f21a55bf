// What a batch prints and writes: the tasks before they are done, and their results.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "batch/jobs/batch_plan.h"
#include "batch/open_batch.h"
#include "batch/options.h"
#include "batch/results/batch_summary.h"
#include "batch/state/batch_state.h"

namespace skinbake::cli {

// A table of the tasks with frames, first output and status.
std::string task_table(const BatchPlan& plan, std::span<const PlannedTask> tasks);

// The numbers of tasks by exit code, and the failed tasks, the worst first, each with its error and
// the command that repeats it. `up_to_date`: tasks that were not run.
std::string results_table(const BatchPlan& plan, const BatchResults& results,
                          std::uint64_t up_to_date, const std::string& folder);

// Throws Error (kOutput) if a file with the results cannot be written, before the tasks are done.
void require_writable(const std::vector<ReportFile>& reports);

// Writes the requested files with the results, all or none, then prints the results for standard
// output.
void write_reports(const std::vector<ReportFile>& reports, const Batch& batch,
                   std::span<const std::uint64_t> tasks, const BatchState& state);

// Prints the number of failed tasks and the worst of them as an error.
void log_failures(const BatchPlan& plan, const BatchResults& results);

// Prints a line for each code of the issues: the first of them, and the places of others.
void log_batch_issues(const BatchResults& results);

// The reports that the tasks write, each once, in the order of the tasks.
std::vector<std::string> reports_of(const BatchPlan& plan, std::span<const std::uint64_t> tasks);

bool use_stdout(const std::vector<ReportFile>& reports);

// Throws UsageError if a web page is requested and no task of the plan writes a report. A shard may
// lack tasks with reports.
void require_reports(const std::vector<ReportFile>& reports, const BatchPlan& plan);

// Adds the overview of the reports of the tasks that are done, and the page of each beside it, to
// the files that are written; nothing if there is none. A failed task has the report of an earlier
// run. Throws Error.
void add_overview(const std::string& html, const BatchPlan& plan,
                  std::span<const std::uint64_t> tasks, const BatchState& state,
                  std::vector<OutputFile>& files);

}  // namespace skinbake::cli
