// `skinbake batch`: reads the manifest, lists its tasks, does those that are not up to date, and
// prints the results.

#include <cstdio>
#include <filesystem>
#include <optional>

#include "batch/command_keys.h"
#include "batch/open_batch.h"
#include "batch/options.h"
#include "batch/orphans.h"
#include "batch/results.h"
#include "batch/scheduler.h"
#include "batch/shell_words.h"
#include "options/usage_error.h"
#include "terminal/console.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"

namespace skinbake::cli {

namespace {

// "jobs.json" -> "jobs.state.jsonl"; shard 2 of 7: "jobs.state.2-of-7.jsonl".
std::string state_path(const BatchOptions& options) {
  if (!options.state.empty() || options.manifest == "-") return options.state;
  std::string path = options.manifest;
  if (path.ends_with(".json")) path.resize(path.size() - 5);
  path += ".state";
  if (options.shards > 1) {
    path += "." + std::to_string(options.shard) + "-of-" + std::to_string(options.shards);
  }
  return path + ".jsonl";
}

bool is_file(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

// The progress of the tasks that run at the same time.
class TaskReport {
 public:
  TaskReport(BatchProgress kind, std::int64_t frames, std::uint64_t tasks)
      : is_json_(kind == BatchProgress::kJson),
        tasks_(tasks),
        bar_(frames, kind == BatchProgress::kAuto     ? When::kAuto
                     : kind == BatchProgress::kAlways ? When::kAlways
                                                      : When::kNever) {
    show(0);
  }

  void advance(std::int64_t frames) {
    const std::lock_guard lock(mutex_);
    frames_ += frames;
    bar_.update(frames_);
  }

  void finish(const TaskProgress& task) {
    const std::lock_guard lock(mutex_);
    up_to_date_ += task.is_up_to_date;
    show(task.done);
    if (is_json_) std::fputs(progress_line(task).c_str(), stderr);
  }

  std::uint64_t up_to_date() const { return up_to_date_; }

 private:
  void show(std::uint64_t done) {
    bar_.begin(std::to_string(done) + "/" + std::to_string(tasks_) + " tasks");
  }

  bool is_json_;
  std::uint64_t tasks_;
  std::mutex mutex_;
  std::int64_t frames_ = 0;
  std::uint64_t up_to_date_ = 0;
  Progress bar_;
};

std::string command_lines(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                          const std::string& folder) {
  const std::string go = folder.empty() ? "" : "cd " + shell_word(folder) + " && ";
  std::string text;
  for (const std::uint64_t t : tasks) text += go + shell_line(plan.words(plan.tasks()[t])) + "\n";
  return text;
}

std::vector<PlannedTask> with_status(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                                     const BatchState& state, bool trust_mtime) {
  InputRecords inputs;
  std::vector<PlannedTask> planned;
  for (const std::uint64_t t : tasks) {
    std::string reason = reason_to_do(plan, plan.tasks()[t], state, inputs, trust_mtime);
    planned.push_back({t, reason.empty() ? "up to date" : std::move(reason)});
  }
  return planned;
}

// Prints the tasks instead of doing them.
void list(const BatchOptions& options, const Batch& batch, std::span<const std::uint64_t> tasks,
          const BatchState& state) {
  if (options.list) {
    print(command_lines(*batch.plan, tasks, batch.folder));
    return;
  }
  const std::vector<PlannedTask> planned =
      with_status(*batch.plan, tasks, state, options.trust_mtime);
  print(options.json ? plan_json(*batch.plan, planned) : task_table(*batch.plan, planned));
}

int do_tasks(const BatchOptions& options, const Batch& batch, std::span<const std::uint64_t> tasks,
             BatchState& state) {
  const BatchPlan& plan = *batch.plan;
  if (!state.runs().empty()) remove_orphans(plan, tasks);
  state.append(StateRun{options.shard, options.shards, plan_id(plan)});
  std::int64_t frames = 0;
  for (const std::uint64_t t : tasks) frames += plan.tasks()[t].frames;
  remove_outputs_on_signal("finished tasks are kept; the same command continues");
  std::uint64_t up_to_date = 0;
  const bool is_silent = options.common.quiet && options.progress != BatchProgress::kJson;
  {
    TaskReport report(is_silent ? BatchProgress::kNever : options.progress, frames, tasks.size());
    Scheduler scheduler(
        options, plan, state, [&](const TaskProgress& task) { report.finish(task); },
        [&](std::int64_t more) { report.advance(more); });
    scheduler.run(tasks);
    up_to_date = report.up_to_date();
  }
  const BatchResults results = results_of(plan, tasks, state);
  log_batch_issues(results.issues);
  if (!options.summary.empty()) write_summary(options.summary, summary_json(plan, tasks, state));
  if (!options.common.quiet && options.summary != "-") {
    print(results_table(plan, results, up_to_date, batch.folder));
  }
  return results.exit_code();
}

void check_together(const BatchOptions& options) {
  if (options.json && !options.dry_run) {
    throw UsageError("--json", "prints the tasks of --dry-run; add it, or write --summary -");
  }
  if (options.list && options.dry_run) throw UsageError("--list", "is instead of --dry-run");
}

}  // namespace

int run_batch(BatchOptions options) {
  configure_console(options.common);
  if (options.schema) {
    print(manifest_schema(manifest_commands()));
    return 0;
  }
  if (options.manifest.empty()) throw UsageError("FILE", "is missing; name a manifest");
  check_together(options);
  options.state = state_path(options);
  make_absolute(options.state);
  make_absolute(options.summary);
  Batch batch;
  open_batch(options.manifest, options.set, options.only, options.max_memory, batch);
  const bool only_lists = options.list || options.dry_run;
  // Listing neither creates nor changes a state.
  const std::string path = only_lists && !is_file(options.state) ? "" : options.state;
  BatchState state(
      path, only_lists && !path.empty() ? BatchState::Access::kRead : BatchState::Access::kAppend);
  if (state.damaged_lines() > 0) {
    log_warning(path + ": " + std::to_string(state.damaged_lines()) +
                " lines are damaged; their tasks are done again");
  }
  Scheduler::find_facts(options, *batch.plan, state);
  batch.plan->list_tasks();
  const std::vector<std::uint64_t> tasks =
      tasks_of_shard(*batch.plan, options.shard, options.shards);
  if (only_lists) {
    list(options, batch, tasks, state);
    return 0;
  }
  return do_tasks(options, batch, tasks, state);
}

}  // namespace skinbake::cli
