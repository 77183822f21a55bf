// Does the tasks of a batch on several threads, and records each in the state.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "batch/files.h"
#include "batch/jobs/batch_plan.h"
#include "batch/options.h"
#include "batch/results/batch_summary.h"
#include "batch/state/batch_state.h"
#include "skinbake/gltf.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

// A rig without its clips, and the clips: a task copies those that it needs.
struct PooledRig {
  Asset base;
  std::vector<Clip> clips;

  // The asset with this clip alone, or with all clips if it does not have the clip.
  Asset with_clip(const std::string& id) const;
};

class RigPool {
 public:
  // Returns the rig of this path and these options, except for memory. Loads it unless a caller has
  // it. If another thread loads it, waits for that. Throws as load_asset.
  std::shared_ptr<const PooledRig> get(const std::string& path, const LoadOptions& options);

  // Equal keys name the same rig.
  static std::string key_of(const std::string& path, const LoadOptions& options);

 private:
  struct Entry {
    std::mutex loading;
    std::weak_ptr<const PooledRig> rig;
  };
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
};

// Why the task must be done; empty: it is up to date.
std::string status_of(const BatchPlan& plan, const BatchTask& task, const BatchState& state,
                      InputRecords& inputs, bool trust_mtime);

class Scheduler {
 public:
  // `finished` is called after each task, by one thread at a time. `advance`: as in TaskContext.
  Scheduler(const BatchOptions& options, const BatchPlan& plan, BatchState& state,
            std::function<void(const TaskProgress&)> finished,
            std::function<void(std::int64_t)> advance);

  // Does the tasks with these indices. Returns the tasks that were not begun: with --fail-fast, the
  // ones after a failure. Throws errors that belong to no task, for example if the state cannot be
  // written.
  std::span<const std::uint64_t> run(std::span<const std::uint64_t> tasks);

  // Fills in the facts of the rigs: from the state, else from their files.
  static void find_facts(const BatchOptions& options, BatchPlan& plan, BatchState& state);

 private:
  struct Worker {
    std::shared_ptr<const PooledRig> rig;  // of the last task
    std::string key;                       // of the rig
  };
  void work(std::span<const std::uint64_t> tasks, Worker& worker);
  void do_task(std::uint64_t number, std::uint64_t tasks, Worker& worker);
  int threads_of_task() const;
  TaskRecord run_task(const BatchTask& task, Worker& worker);
  TaskRecord attempt(const BatchTask& task, Worker& worker, std::string& error_code);

  const BatchOptions& options_;
  const BatchPlan& plan_;
  BatchState& state_;
  std::function<void(const TaskProgress&)> finished_;
  std::function<void(std::int64_t)> advance_;
  int workers_;
  RigPool pool_;
  InputRecords inputs_;
  std::atomic<std::uint64_t> next_{0}, done_{0};
  std::atomic<bool> stops_{false};
  std::mutex reporting_;
  // Tasks hold it shared. A task that meets the limit of memory holds it alone, and
  // takes the rigs from the workers, which change theirs only while they hold it.
  std::shared_mutex memory_;
  std::vector<Worker> at_work_;
  std::atomic<std::size_t> next_worker_{0};
};

}  // namespace skinbake::cli
