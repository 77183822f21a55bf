// The results of a batch, from the records of its tasks.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "batch/jobs/batch_plan.h"
#include "batch/state/batch_state.h"
#include "report/pages/pages.h"

namespace skinbake {

// The issues of one code in all tasks, each place once.
struct BatchIssues {
  std::string code;
  Severity severity = Severity::kWarning;
  std::uint64_t places = 0;
  std::vector<Issue> first;  // at most three
};

// An exceeded limit that only warns, such as "error.max at most 0.01 m".
struct WarnedLimit {
  std::string limit;
  std::uint64_t places = 0;  // runs of all tasks
  TaskName task;             // with the largest excess
  TaskCheck worst;
};

struct FailedTask {
  std::uint64_t task = 0;  // index in BatchPlan::tasks
  int exit_code = 0;
  std::string error;  // its first message
  double excess = 0;  // the largest of its exceeded limits
};

struct BatchResults {
  std::uint64_t tasks = 0;
  std::uint64_t missing = 0;                  // without a record
  std::map<int, std::uint64_t> by_exit_code;  // number of tasks
  std::int64_t frames = 0;                    // of all tasks that have a record
  std::vector<FailedTask> failed;   // the greatest exit code first, then the largest excess
  std::vector<BatchIssues> issues;  // in the order of each code's first issue
  std::map<std::string, std::uint64_t> allowed;  // number of tasks with a warning of --allow
  std::vector<WarnedLimit> warned;               // by limit

  int exit_code() const { return by_exit_code.empty() ? 0 : by_exit_code.rbegin()->first; }
};

// `tasks`: indices of the tasks that were to be done.
BatchResults results_of(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                        const BatchState& state);

// JSON: schema "skinbake.batch.summary", version 1.0. It depends on the tasks and their results
// alone, not on the run that computed them.
std::string summary_json(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                         const BatchState& state);

// JUnit XML for build servers: a suite for each task, with a case for each mesh, clip and limit; a
// task without measurements is one case. A task that is not done is skipped.
std::string summary_junit(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                          const BatchState& state);

// Markdown for a pull request, of at most kMostMarkdown bytes: counts; the failed tasks with their
// errors and exceeded limits, the worst first; the exceeded limits that only warn; the issues.
// `command_of`: the line that repeats a task.
std::string summary_markdown(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                             const BatchState& state,
                             const std::function<std::string(const BatchTask&)>& command_of);

// A task before it is done, for lists.
struct PlannedTask {
  std::uint64_t task = 0;
  std::string status;  // "up to date", or why it will be done
};

// JSON: schema "skinbake.batch.plan", version 1.0: the tasks with their command lines.
std::string plan_json(const BatchPlan& plan, std::span<const PlannedTask> tasks);

// One line of JSON about a finished task.
struct TaskProgress {
  TaskName name;
  int exit_code = 0;
  bool is_up_to_date = false;
  std::int64_t frames = 0;
  double seconds = 0;
  std::uint64_t done = 0, tasks = 0;
};
std::string progress_line(const TaskProgress& progress);

}  // namespace skinbake
