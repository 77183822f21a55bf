// `skinbake batch merge`: joins the states of shards.

#include <map>
#include <optional>

#include "batch/files.h"
#include "batch/open_batch.h"
#include "batch/options.h"
#include "batch/results.h"
#include "batch/scheduler.h"
#include "terminal/console.h"
#include "terminal/interrupt.h"

namespace skinbake::cli {

namespace {

struct ShardState {
  std::string path;
  BatchState state;
  StateRun run;  // the last one
};

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  throw Error("STATE_INVALID", message, {path, ""});
}

std::vector<ShardState> open_states(const std::vector<std::string>& paths) {
  std::vector<ShardState> states;
  for (const std::string& path : paths) {
    ShardState& shard =
        states.emplace_back(ShardState{path, BatchState(path, BatchState::Access::kRead), {}});
    if (shard.state.runs().empty()) refuse(path, "does not have a run; run its shard again");
    shard.run = shard.state.runs().back();
  }
  return states;
}

// Throws unless every shard is there once.
void require_all_shards(const std::vector<ShardState>& states) {
  const std::uint64_t shards = states.front().run.shards;
  std::map<std::uint64_t, const ShardState*> found;
  for (const ShardState& state : states) {
    const std::string name =
        "shard " + std::to_string(state.run.shard) + " of " + std::to_string(state.run.shards);
    if (state.run.shards != shards) {
      refuse(state.path, "is " + name + ", and " + states.front().path + " is of " +
                             std::to_string(shards) + " shards; give the states of one division");
    }
    const auto [first, is_new] = found.emplace(state.run.shard, &state);
    if (is_new) continue;
    refuse(state.path, "is " + name + ", as " + first->second->path + " is; give each shard once");
  }
  for (std::uint64_t i = 1; i <= shards; ++i) {
    if (found.contains(i)) continue;
    throw Error("STATE_INVALID",
                "shard " + std::to_string(i) + " of " + std::to_string(shards) +
                    " is missing; run it with --shard " + std::to_string(i) + "/" +
                    std::to_string(shards) + ", and give its state",
                {});
  }
}

std::string text_of(const TaskName& name) {
  return "the task of job '" + name.job + "'" +
         (name.rig.empty() ? "" : ", rig '" + name.rig + "'") +
         (name.clip.empty() ? "" : ", clip '" + name.clip + "'");
}

// Throws unless the files that the task has read are as they were: one machine would do it again.
void require_same_inputs(const ShardState& shard, const TaskRecord& record, InputRecords& inputs) {
  for (const StateFile& file : record.inputs) {
    if (inputs.is_unchanged(file, false)) continue;
    refuse(shard.path, "has " + text_of(record.name) + ", of " + file.path +
                           ", which has changed or is missing; run its shard again");
  }
}

// Throws if a state belongs to other tasks, settings or inputs, or if its shard is not done.
void append_records(const Batch& batch, const ShardState& shard, InputRecords& inputs,
                    BatchState& all) {
  const BatchPlan& plan = *batch.plan;
  if (shard.run.plan != plan_id(plan)) {
    refuse(shard.path,
           "does not fit the tasks of the manifest: the manifest, --only, --set or a rig has "
           "changed; run its shard again");
  }
  for (const std::uint64_t t : tasks_of_shard(plan, shard.run.shard, shard.run.shards)) {
    const TaskName name = plan.name(plan.tasks()[t]);
    const std::optional<TaskRecord> record = shard.state.find(name);
    if (!record) {
      refuse(shard.path,
             "does not have " + text_of(name) + "; run its shard again, which does what is left");
    }
    if (contradicts_itself(*record)) {
      refuse(shard.path, "has " + text_of(name) +
                             " with exit code 0 and a limit that is exceeded; run its shard again");
    }
    if (task_key(plan.words(plan.tasks()[t]), record->inputs) != record->key) {
      refuse(shard.path, "has " + text_of(name) +
                             " with other settings, or of another version of skinbake; run its "
                             "shard again, and give the merge the same --set and --allow");
    }
    require_same_inputs(shard, *record, inputs);
    all.append(*record);
  }
}

}  // namespace

int run_batch_merge(MergeOptions options) {
  configure_console(options.common);
  for (std::string& path : options.states) make_absolute(path);
  make_absolute(options.reports);
  BatchOptions batch_options;
  batch_options.trust_mtime = true;  // append_records reads the files
  Batch batch;
  open_batch(options.manifest, options.set, options.only, batch);
  std::vector<ShardState> states = open_states(options.states);
  require_all_shards(states);
  Scheduler::find_facts(batch_options, *batch.plan, states.front().state);
  batch.plan->list_tasks();
  require_tasks(batch);
  const std::vector<std::uint64_t> tasks = tasks_of_shard(*batch.plan, 1, 1);
  batch.plan->refuse_shared_outputs(
      own_files(options.manifest, options.states, options.reports, *batch.plan, tasks));
  require_reports(options.reports, *batch.plan);
  BatchState all("", BatchState::Access::kAppend);
  InputRecords inputs;
  for (const ShardState& state : states) append_records(batch, state, inputs, all);
  const BatchResults results = results_of(*batch.plan, tasks, all);
  remove_outputs_on_signal();
  write_reports(options.reports, batch, tasks, all);
  log_batch_issues(results);
  log_failures(*batch.plan, results);
  if (!options.common.quiet && !use_stdout(options.reports)) {
    print(results_table(*batch.plan, results, 0, batch.folder));
  }
  return results.exit_code();
}

}  // namespace skinbake::cli
