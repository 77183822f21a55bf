// `skinbake batch`: reads the manifest, lists its tasks, does those that are not up to date, and
// prints the results.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "batch/files.h"
#include "batch/open_batch.h"
#include "batch/options.h"
#include "batch/results.h"
#include "batch/scheduler.h"
#include "commands.h"
#include "options/usage_error.h"
#include "terminal/console.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/task_context.h"

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

bool exists(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

// The progress of the tasks that run at the same time.
class TaskReport {
 public:
  TaskReport(BatchProgress kind, std::int64_t frames, std::uint64_t tasks)
      : is_json_(kind == BatchProgress::kJson),
        tasks_(tasks),
        most_frames_(frames),
        bar_(frames, kind == BatchProgress::kAuto     ? When::kAuto
                     : kind == BatchProgress::kAlways ? When::kAlways
                                                      : When::kNever) {
    show(0);
  }

  void advance(std::int64_t frames) {
    const std::lock_guard lock(mutex_);
    frames_ += frames;
    bar_.update(std::min(frames_, most_frames_));  // a task may evaluate its frames twice
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
  std::int64_t most_frames_;
  std::mutex mutex_;
  std::int64_t frames_ = 0;
  std::uint64_t up_to_date_ = 0;
  Progress bar_;
};

std::vector<PlannedTask> with_status(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                                     const BatchState& state, bool trust_mtime) {
  InputRecords inputs;
  std::vector<PlannedTask> planned;
  for (const std::uint64_t t : tasks) {
    const std::string status = status_of(plan, plan.tasks()[t], state, inputs, trust_mtime);
    const std::string missing = plan.missing_clip(plan.tasks()[t]);
    planned.push_back({t, !missing.empty() ? "will fail: " + missing
                          : status.empty() ? "up to date"
                                           : status});
  }
  return planned;
}

// A summary of an earlier run would be taken for the summary of this run.
void warn_of_reports(const std::vector<ReportFile>& reports) {
  for (const ReportFile& report : reports) {
    log_warning("--report " + report.path + ": is not written, because this run does no task");
  }
}

// Prints the tasks instead of doing them.
void list(const BatchOptions& options, const Batch& batch, std::span<const std::uint64_t> tasks,
          const BatchState& state) {
  warn_of_reports(options.reports);
  if (options.common.quiet && !options.json) return;
  const std::vector<PlannedTask> planned =
      with_status(*batch.plan, tasks, state, options.trust_mtime);
  print(options.json ? plan_json(*batch.plan, planned) : task_table(*batch.plan, planned));
}

int do_tasks(const BatchOptions& options, const Batch& batch, std::span<const std::uint64_t> tasks,
             BatchState& state) {
  const BatchPlan& plan = *batch.plan;
  if (!state.runs().empty()) {
    std::vector<std::string> others{options.state};
    for (const ReportFile& report : options.reports) others.push_back(report.path);
    remove_orphans(plan, tasks, others);
  }
  state.append(StateRun{options.shard, options.shards, plan_id(plan)});
  std::int64_t frames = 0;
  for (const std::uint64_t t : tasks) frames += plan.mesh_frames(plan.tasks()[t]);
  constexpr const char* kRemains = "finished tasks are kept; the same command continues";
  remove_outputs_on_signal(kRemains, kRemains);
  std::uint64_t up_to_date = 0;
  const bool is_silent = options.common.quiet && options.progress != BatchProgress::kJson;
  {
    TaskReport report(is_silent ? BatchProgress::kNever : options.progress, frames, tasks.size());
    Scheduler scheduler(
        options, plan, state, [&](const TaskProgress& task) { report.finish(task); },
        [&](std::int64_t more) { report.advance(more); });
    // Their records come from an earlier run, and may be outdated.
    for (const std::uint64_t t : scheduler.run(tasks)) state.forget(plan.name(plan.tasks()[t]));
    up_to_date = report.up_to_date();
  }
  const BatchResults results = results_of(plan, tasks, state);
  log_batch_issues(results);
  log_failures(plan, results);
  write_reports(options.reports, batch, tasks, state);
  if (!options.common.quiet && !use_stdout(options.reports)) {
    print(results_table(plan, results, up_to_date, batch.folder));
  }
  return results.exit_code();
}

}  // namespace

int run_batch(BatchOptions options) {
  configure_console(options.common);
  if (options.schema) {
    print(manifest_schema(manifest_commands()));
    return 0;
  }
  if (options.manifest.empty())
    throw UsageError("FILE", "no manifest is named; write skinbake batch FILE");
  if (options.json && !options.dry_run) {
    throw UsageError("--json", "prints the tasks of --dry-run; add it, or write --report -");
  }
  options.state = state_path(options);
  make_absolute(options.state);
  make_absolute(options.reports);
  Batch batch;
  open_batch(options.manifest, options.set, options.only, batch);
  // Listing neither creates nor changes a state.
  const std::string path = options.dry_run && !exists(options.state) ? "" : options.state;
  const bool is_new = !path.empty() && !exists(path);
  BatchState state(path, options.dry_run && !path.empty() ? BatchState::Access::kRead
                                                          : BatchState::Access::kAppend);
  if (state.damaged_lines() > 0) {
    log_warning(path + ": " + std::to_string(state.damaged_lines()) +
                (state.damaged_lines() == 1 ? " line is" : " lines are") +
                " damaged; tasks without a record are done again");
  }
  std::vector<std::uint64_t> tasks;
  try {
    Scheduler::find_facts(options, *batch.plan, state);
    batch.plan->list_tasks();
    if (!options.dry_run) require_tasks(batch);
    tasks = tasks_of_shard(*batch.plan, options.shard, options.shards);
    batch.plan->refuse_shared_outputs(
        own_files(options.manifest, {options.state}, options.reports, *batch.plan, tasks));
    if (!options.dry_run) {
      require_reports(options.reports, *batch.plan);
      require_writable(options.reports);
    }
  } catch (...) {
    std::error_code ignored;  // a run that is refused leaves no state
    if (is_new) std::filesystem::remove(path, ignored);
    throw;
  }
  if (options.dry_run) {
    list(options, batch, tasks, state);
    return 0;
  }
  return do_tasks(options, batch, tasks, state);
}

namespace {

// Returns to the present folder at the end.
class FolderScope {
 public:
  FolderScope() : folder_(::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ >= 0) return;
    throw Error("FILE_UNREADABLE", "the current folder cannot be read", {".", ""});
  }
  ~FolderScope() {
    // A folder that was entered before can be entered again, unless its rights have just changed.
    if (::fchdir(folder_) != 0) ::_exit(70);
    ::close(folder_);
  }
  FolderScope(const FolderScope&) = delete;
  FolderScope& operator=(const FolderScope&) = delete;

 private:
  int folder_;
};

}  // namespace

std::vector<PlannedOutput> planned_outputs(const std::string& manifest) {
  const FolderScope scope;
  BatchOptions options;
  Batch batch;
  open_batch(manifest, {}, {}, batch);
  BatchState state("", BatchState::Access::kAppend);
  Scheduler::find_facts(options, *batch.plan, state);
  batch.plan->list_tasks();
  batch.plan->refuse_shared_outputs({});
  std::vector<PlannedOutput> outputs;
  for (const BatchTask& task : batch.plan->tasks()) {
    const std::string rig = batch.plan->name(task).rig;
    for (std::string& output : batch.plan->outputs(task)) {
      outputs.push_back({std::move(output), rig});
    }
  }
  return outputs;
}

int bring_up_to_date(const std::string& manifest) {
  const FolderScope scope;
  BatchOptions options;
  options.manifest = manifest;
  options.common.quiet = true;
  return run_batch(std::move(options));
}

}  // namespace skinbake::cli
