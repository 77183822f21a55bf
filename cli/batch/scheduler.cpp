#include "batch/scheduler.h"
#include "commands.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include "memory_limit.h"
#include "terminal/console.h"
#include "terminal/interrupt.h"

namespace skinbake::cli {

std::string RigPool::key_of(const std::string& path, const LoadOptions& options) {
  std::string key = path + '\0' + options.scene + '\0';
  for (const bool flag : {options.allow_outside, options.materials, options.normals_are_kept,
                          options.tangents, options.tangents_are_kept, options.source}) {
    key += flag ? '1' : '0';
  }
  return key;
}

Asset PooledRig::with_clip(const std::string& id) const {
  Asset asset = base;
  const auto found =
      std::find_if(clips.begin(), clips.end(), [&](const Clip& clip) { return clip.id == id; });
  if (found != clips.end()) {
    asset.clips = {*found};
  } else {
    asset.clips = clips;
  }
  return asset;
}

std::shared_ptr<const PooledRig> RigPool::get(const std::string& path, const LoadOptions& options) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& known = entries_[key_of(path, options)];
    if (!known) known = std::make_shared<Entry>();
    entry = known;
  }
  const std::lock_guard lock(entry->loading);
  if (std::shared_ptr<const PooledRig> rig = entry->rig.lock()) return rig;
  auto loaded = std::make_shared<PooledRig>();
  loaded->base = load_asset(path, options);
  loaded->clips = std::exchange(loaded->base.clips, {});
  entry->rig = loaded;
  return loaded;
}

namespace {

// The least memory of a task: with less, characters of usual size would have to run alone.
constexpr std::uint64_t kLeastMemory = std::uint64_t{512} << 20;

int workers_of(const BatchOptions& options) {
  if (options.jobs > 0) return options.jobs;
  const auto processors = std::max<std::uint64_t>(std::thread::hardware_concurrency(), 1);
  return static_cast<int>(std::clamp<std::uint64_t>(memory_limit() / kLeastMemory, 1, processors));
}

// Runs `work` on several threads and throws the first exception of one of them.
void on_threads(int threads, const std::function<void()>& work) {
  std::mutex mutex;
  std::exception_ptr failure;
  std::vector<std::jthread> running;  // joined also if an exception leaves this function
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  try {
    for (int i = 1; i < threads; ++i) running.emplace_back(guarded);
  } catch (const std::system_error&) {
    // The system grants no more threads. The running threads do the work.
  }
  guarded();
  running.clear();
  if (failure) std::rethrow_exception(failure);
}

RigFacts facts_of(const Asset& asset) {
  RigFacts facts;
  for (const Clip& clip : asset.clips) facts.clips.push_back({clip.id, clip.duration_s});
  for (const Rig& rig : asset.rigs) {
    facts.meshes.push_back({rig.id, rig.node, rig.mesh->vertex_count()});
  }
  for (const InputFile& input : asset.inputs) facts.bytes += input.bytes;
  facts.files = asset.files;
  facts.files.insert(facts.files.end(), asset.unread_files.begin(), asset.unread_files.end());
  return facts;
}

std::vector<TaskInput> inputs_of(const Asset& asset) {
  TaskContext context;
  const TaskScope scope(context);
  record_inputs(asset.files, asset.inputs);
  return context.inputs;
}

// Whether a task of one clip needs the other clips of the rig's file: a fit of influences learns
// from all of them, and a clip is named by its number if its name means others too.
bool needs_other_clips(const std::vector<std::string>& words, const std::string& clip) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return (word.starts_with("--clip=#") && word != "--clip=" + clip) ||
           (word.starts_with("--influences=") && word.find(":fit") != std::string::npos);
  });
}

// Each code and place once.
Issues distinct(const Issues& issues) {
  Issues kept;
  for (const Issue& issue : issues) {
    const bool is_known = std::any_of(kept.begin(), kept.end(), [&](const Issue& other) {
      return other.code == issue.code && other.file == issue.file && other.pointer == issue.pointer;
    });
    if (!is_known) kept.push_back(issue);
  }
  return kept;
}

}  // namespace

std::string status_of(const BatchPlan& plan, const BatchTask& task, const BatchState& state,
                      InputRecords& inputs, bool trust_mtime) {
  const std::optional<TaskRecord> record = state.find(plan.name(task));
  if (!record) return "new";
  if (record->exit_code != 0) {
    return "failed before with exit code " + std::to_string(record->exit_code);
  }
  if (contradicts_itself(*record)) return "its record contradicts itself";
  if (record->inputs.empty()) return "its inputs are not known";
  for (const StateFile& file : record->inputs) {
    if (!inputs.is_unchanged(file, trust_mtime)) return file.path + " has changed";
  }
  if (task_key(plan.words(task), record->inputs) != record->key) {
    return "the settings or the program have changed";
  }
  for (const StateFile& file : record->outputs) {
    if (!is_unchanged(file, trust_mtime)) return file.path + " is missing or has changed";
  }
  return "";
}

Scheduler::Scheduler(const BatchOptions& options, const BatchPlan& plan, BatchState& state,
                     std::function<void(const TaskProgress&)> finished,
                     std::function<void(std::int64_t)> advance)
    : options_(options),
      plan_(plan),
      state_(state),
      finished_(std::move(finished)),
      advance_(std::move(advance)),
      workers_(workers_of(options)) {}

std::span<const std::uint64_t> Scheduler::run(std::span<const std::uint64_t> tasks) {
  const auto most = static_cast<int>(std::min<std::size_t>(tasks.size(), 1024));
  const int threads = std::min(workers_, std::max(most, 1));
  at_work_.resize(static_cast<std::size_t>(threads));
  on_threads(threads, [&] { work(tasks, at_work_[next_worker_.fetch_add(1)]); });
  return tasks.subspan(std::min<std::uint64_t>(next_.load(), tasks.size()));
}

void Scheduler::work(std::span<const std::uint64_t> tasks, Worker& worker) {
  try {
    while (!stops_.load()) {
      const std::uint64_t next = next_.fetch_add(1);
      if (next >= tasks.size()) break;
      do_task(tasks[next], tasks.size(), worker);
    }
    const std::shared_lock lock(memory_);
    worker.rig.reset();
  } catch (...) {
    stops_.store(true);
    throw;
  }
}

void Scheduler::do_task(std::uint64_t number, std::uint64_t tasks, Worker& worker) {
  const BatchTask& task = plan_.tasks()[number];
  const auto start = std::chrono::steady_clock::now();
  const bool is_up_to_date = status_of(plan_, task, state_, inputs_, options_.trust_mtime).empty();
  TaskProgress progress{plan_.name(task)};
  progress.tasks = tasks;
  progress.is_up_to_date = is_up_to_date;
  progress.frames = task.frames;
  if (is_up_to_date) {
    advance_(plan_.mesh_frames(task));
  } else {
    const TaskRecord record = run_task(task, worker);
    state_.append(record);
    progress.exit_code = record.exit_code;
    progress.frames = record.frames;
    if (record.exit_code != 0 && options_.fail_fast) stops_.store(true);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  progress.seconds = elapsed.count();
  const std::lock_guard lock(reporting_);
  progress.done = done_.fetch_add(1) + 1;
  finished_(progress);
}

// The processors are divided among the tasks. With a thread for each processor in each task,
// threads would wait for one another: 20 characters of 76 clips took a fifth longer.
int Scheduler::threads_of_task() const {
  if (options_.common.threads > 0) return options_.common.threads;
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, processors / workers_);
}

// A task that meets the limit beside others runs again while no other does.
TaskRecord Scheduler::run_task(const BatchTask& task, Worker& worker) {
  std::string error_code;
  {
    const std::shared_lock lock(memory_);
    TaskRecord record = attempt(task, worker, error_code);
    if (error_code != "MEMORY_LIMIT" || workers_ == 1) return record;
  }
  const std::unique_lock lock(memory_);
  for (Worker& each : at_work_) each.rig.reset();
  return attempt(task, worker, error_code);
}

TaskRecord Scheduler::attempt(const BatchTask& task, Worker& worker, std::string& error_code) {
  TaskRecord record;
  record.name = plan_.name(task);
  TaskContext context;
  std::atomic<std::int64_t> frames{0};
  const std::vector<std::string> words = plan_.words(task);
  const bool keeps_clips = needs_other_clips(words, record.name.clip);
  context.load = [&](const std::string& path, const LoadOptions& options) {
    const std::string key = RigPool::key_of(path, options);
    if (worker.key != key) worker.rig.reset();
    worker.key = key;
    worker.rig = pool_.get(path, options);
    // A file that is written again keeps all of its clips.
    return worker.rig->with_clip(options.source || keeps_clips ? "" : record.name.clip);
  };
  context.advance = [&](std::int64_t more) {
    frames += more;
    advance_(more);
  };
  context.note = [&](const std::string& path) { inputs_.note(path); };
  std::vector<std::string> run = words;
  run.push_back("--threads=" + std::to_string(threads_of_task()));
  {
    const TaskScope scope(context);
    record.exit_code = run_task_words(run);
    record.allowed = allowed_codes(context.issues);
  }
  error_code = context.error_code;
  record.frames = frames.load();
  record.errors = std::move(context.errors);
  record.issues = distinct(context.issues);
  record.checks = std::move(context.checks);
  record.inputs = inputs_.of(context.inputs);
  for (const std::string& output : context.outputs) {
    if (std::optional<StateFile> file = state_of_file(output)) record.outputs.push_back(*file);
  }
  record.key = task_key(words, record.inputs);
  return record;
}

void Scheduler::find_facts(const BatchOptions& options, BatchPlan& plan, BatchState& state) {
  std::atomic<std::size_t> next{0};
  InputRecords records;
  std::shared_mutex memory;
  const int workers = workers_of(options);
  const auto most = static_cast<int>(std::min<std::size_t>(plan.rigs().size(), 1024));
  on_threads(std::min(workers, std::max(most, 1)), [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < plan.rigs().size();) {
      PlannedRig& rig = plan.rigs()[i];
      rig.facts = state.find_facts(rig, options.trust_mtime);
      if (rig.facts) continue;
      LoadOptions load;
      load.scene = rig.scene;
      load.allow_outside = rig.allow_outside;
      const auto find = [&] {
        const Asset asset = load_asset(rig.path, load);
        rig.facts = facts_of(asset);
        if (state.appends()) state.append(rig, records.of(inputs_of(asset)));
      };
      try {
        try {
          const std::shared_lock lock(memory);
          find();
        } catch (const std::bad_alloc&) {
          const std::unique_lock alone(memory);
          find();
        }
      } catch (const Error&) {
        // The rig's tasks fail with this error.
      } catch (const std::bad_alloc&) {
        // As they do with this one.
      }
    }
  });
}

}  // namespace skinbake::cli
