// `skinbake batch`: reads the manifest, lists its tasks, does those that are not up to date, and
// prints the results.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>

#include "base/files/file_kind.h"
#include "base/files/output_file.h"
#include "batch/command_keys.h"
#include "batch/files/orphans.h"
#include "batch/files/own_files.h"
#include "batch/open_batch.h"
#include "batch/options.h"
#include "batch/results/build_files.h"
#include "batch/results/build_rules.h"
#include "batch/results/overview.h"
#include "batch/results/results.h"
#include "batch/results/shell_words.h"
#include "batch/scheduler.h"
#include "memory/program_memory.h"
#include "options/parsing/usage_error.h"
#include "task/task_context.h"
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
    saved_.up_to_date += task.is_up_to_date;
    saved_.from_cache += task.is_from_cache;
    show(task.done);
    if (is_json_) std::fputs(progress_line(task).c_str(), stderr);
  }

  const Saved& saved() const { return saved_; }

 private:
  void show(std::uint64_t done) {
    bar_.begin(std::to_string(done) + "/" + std::to_string(tasks_) + " tasks");
  }

  bool is_json_;
  std::uint64_t tasks_;
  std::int64_t most_frames_;
  std::mutex mutex_;
  std::int64_t frames_ = 0;
  Saved saved_;
  Progress bar_;
};

std::string command_lines(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                          const std::string& folder) {
  const std::string go = go_to(folder);
  std::string text;
  for (const std::uint64_t t : tasks) text += go + shell_line(plan.words(plan.tasks()[t])) + "\n";
  return text;
}

std::vector<PlannedTask> with_status(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                                     const BatchState& state, bool trust_mtime) {
  InputRecords inputs;
  std::vector<PlannedTask> planned;
  for (const std::uint64_t t : tasks) {
    const TaskStatus status = status_of(plan, plan.tasks()[t], state, inputs, trust_mtime);
    const std::string missing = plan.missing_clip(plan.tasks()[t]);
    planned.push_back({t, !missing.empty()        ? "will fail: " + missing
                          : status.reason.empty() ? "up to date"
                                                  : status.reason});
  }
  return planned;
}

// A summary of an earlier run would be taken for that of this one.
void warn_of_pages(const BatchPages& pages) {
  for (const auto& [name, path] : pages.named()) {
    if (path->empty()) continue;
    log_warning(std::string(name) + ": is not written, because this run does no task");
  }
}

// Prints the tasks instead of doing them.
void list(const BatchOptions& options, const Batch& batch, std::span<const std::uint64_t> tasks,
          const BatchState& state) {
  warn_of_pages(options.pages);
  if (options.list) {
    print(command_lines(*batch.plan, tasks, batch.folder));
    return;
  }
  if (options.common.quiet && !options.json) return;
  const std::vector<PlannedTask> planned =
      with_status(*batch.plan, tasks, state, options.trust_mtime);
  print(options.json ? plan_json(*batch.plan, planned) : task_table(*batch.plan, planned));
}

// The words that write a build file again.
std::vector<std::string> regenerating_words(const BatchOptions& options, const char* option,
                                            const std::string& path) {
  std::vector<std::string> words{"batch", options.manifest};
  for (const std::string& set : options.set) words.push_back("--set=" + set);
  for (const std::string& only : options.only) words.push_back("--only=" + only);
  if (options.shards > 1) {
    words.push_back("--shard=" + std::to_string(options.shard) + "/" +
                    std::to_string(options.shards));
  }
  words.push_back(std::string(option) + "=" + path);
  return words;
}

// The folders that tasks compare: a file that is new or gone in one of them changes the rules.
std::vector<std::string> compared_folders(const BatchPlan& plan,
                                          std::span<const std::uint64_t> tasks) {
  std::set<std::string> folders;
  for (const std::uint64_t t : tasks) {
    for (const std::string& input : plan.inputs(plan.tasks()[t])) {
      for (std::string& folder : folders_of_input(input)) folders.insert(std::move(folder));
    }
  }
  return {folders.begin(), folders.end()};
}

// Writes a build file instead of doing the tasks.
void write_build_file(const BatchOptions& options, const Batch& batch,
                      std::span<const std::uint64_t> tasks) {
  const bool is_ninja = !options.ninja.empty();
  BuildFile file;
  file.path = is_ninja ? options.ninja : options.make;
  std::error_code unknown;
  if (std::filesystem::path(file.path).parent_path() == std::filesystem::current_path(unknown)) {
    file.path = std::filesystem::path(file.path).filename().string();
  }
  file.program = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
  if (file.program.empty()) file.program = "skinbake";
  if (options.manifest != "-") {
    BatchOptions again = options;
    again.manifest = std::filesystem::path(options.manifest).filename().string();
    file.regenerate = regenerating_words(again, is_ninja ? "--ninja" : "--make", file.path);
    file.inputs.push_back(again.manifest);
    for (const PlannedRig& rig : batch.plan->rigs()) {  // a clip's id may look like a file
      if (rig.facts || exists(rig.path)) file.inputs.push_back(rig.path);
    }
    if (is_ninja) {  // Make takes a missing file for one that has changed
      for (std::string& folder : compared_folders(*batch.plan, tasks)) {
        file.inputs.push_back(std::move(folder));
      }
    }
  }
  warn_of_pages(options.pages);
  OutputFile output(file.path);
  output.write(is_ninja ? ninja_text(*batch.plan, tasks, file)
                        : make_text(*batch.plan, tasks, file));
  // Ninja asks again and again for a file that is older than a rig with a time in the future,
  // unless restat finds it unchanged.
  if (is_ninja) leave_equal_outputs();
  commit_outputs({&output});
  if (options.common.quiet) return;
  print(file.path + ": " + std::to_string(tasks.size()) + " tasks; run " +
        (is_ninja ? "ninja" : "make") + (batch.folder.empty() ? "" : " -C " + batch.folder) +
        " -f " + file.path + "\n");
}

int do_tasks(const BatchOptions& options, const Batch& batch, std::span<const std::uint64_t> tasks,
             BatchState& state) {
  const BatchPlan& plan = *batch.plan;
  if (!state.runs().empty()) {
    const std::string others[] = {options.state, options.pages.summary, options.pages.junit,
                                  options.pages.markdown, options.pages.html};
    remove_orphans(plan, tasks, others);
  }
  state.append(StateRun{options.shard, options.shards, plan_id(plan)});
  std::int64_t frames = 0;
  for (const std::uint64_t t : tasks) frames += plan.mesh_frames(plan.tasks()[t]);
  constexpr const char* kRemains = "finished tasks are kept; the same command continues";
  remove_outputs_on_signal(kRemains, kRemains);
  Saved saved;
  const bool is_silent = options.common.quiet && options.progress != BatchProgress::kJson;
  {
    TaskReport report(is_silent ? BatchProgress::kNever : options.progress, frames, tasks.size());
    Scheduler scheduler(
        options, plan, state, [&](const TaskProgress& task) { report.finish(task); },
        [&](std::int64_t more) { report.advance(more); });
    // Their records are those of an earlier run, and may be outdated.
    for (const std::uint64_t t : scheduler.run(tasks)) state.forget(plan.name(plan.tasks()[t]));
    saved = report.saved();
  }
  const BatchResults results = results_of(plan, tasks, state);
  log_batch_issues(results);
  log_failures(plan, results);
  write_pages(options.pages, batch, tasks, state, options.max_memory);
  if (!options.common.quiet && !options.pages.use_stdout()) {
    print(results_table(plan, results, saved, batch.folder));
  }
  return results.exit_code();
}

// Throws if --cache names another thing than a folder. It may be missing.
void require_folder(const std::string& cache) {
  if (cache.empty() || !exists(cache)) return;
  if (is_folder(cache)) return;
  throw UsageError("--cache", "'" + cache + "' is not a folder; name a folder");
}

void check_together(const BatchOptions& options) {
  if (options.json && !options.dry_run) {
    throw UsageError("--json", "prints the tasks of --dry-run; add it, or write --summary -");
  }
  if (options.list && options.dry_run) throw UsageError("--list", "is instead of --dry-run");
  if (!options.ninja.empty() && !options.make.empty()) {
    throw UsageError("--ninja", "is instead of --make");
  }
  for (const auto& [name, path] : {std::pair{"--ninja", options.ninja}, {"--make", options.make}}) {
    if (!path.empty() && (options.list || options.dry_run)) {
      throw UsageError(name, "is instead of --list and --dry-run");
    }
  }
}

// The jobs stay beside the tasks, whose accounts do not count them.
void hold_jobs(const Manifest& manifest, BatchOptions& options) {
  const std::uint64_t figure = figure_for_accounts(options.max_memory);
  set_program_memory(saturated_sum(program_memory(), manifest.memory));
  options.max_memory = memory_for_accounts(figure);
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
  check_together(options);
  options.state = state_path(options);
  make_absolute(options.state);
  make_absolute(options.pages);
  for (std::string* path : {&options.cache, &options.ninja, &options.make}) make_absolute(*path);
  require_folder(options.cache);
  Batch batch;
  open_batch(options.manifest, options.set, options.only, options.max_memory, batch);
  hold_jobs(batch.manifest, options);
  const bool writes_rules = !options.ninja.empty() || !options.make.empty();
  const bool only_lists = options.list || options.dry_run || writes_rules;
  // Listing neither creates nor changes a state.
  const std::string path = only_lists && !exists(options.state) ? "" : options.state;
  const bool is_new = !path.empty() && !exists(path);
  BatchState state(
      path, only_lists && !path.empty() ? BatchState::Access::kRead : BatchState::Access::kAppend,
      options.max_memory);
  if (state.damaged_lines() > 0) {
    log_warning(path + ": " + std::to_string(state.damaged_lines()) +
                (state.damaged_lines() == 1 ? " line is" : " lines are") +
                " damaged; tasks without a record are done again");
  }
  std::vector<std::uint64_t> tasks;
  try {
    Scheduler::find_facts(options, *batch.plan, state);
    batch.plan->list_tasks();
    if (!options.list && !options.dry_run) require_tasks(batch);
    tasks = tasks_of_shard(*batch.plan, options.shard, options.shards);
    batch.plan->refuse_shared_outputs(own_files(options.manifest, {options.state}, options.pages,
                                                {options.ninja, options.make}, *batch.plan, tasks));
    if (!only_lists) {
      require_reports(options.pages.html, *batch.plan);
      require_writable(options.pages);
    }
  } catch (...) {
    std::error_code ignored;  // a run that is refused leaves no state
    if (is_new) std::filesystem::remove(path, ignored);
    throw;
  }
  if (writes_rules) {
    write_build_file(options, batch, tasks);
    return 0;
  }
  if (only_lists) {
    list(options, batch, tasks, state);
    return 0;
  }
  return do_tasks(options, batch, tasks, state);
}

}  // namespace skinbake::cli
