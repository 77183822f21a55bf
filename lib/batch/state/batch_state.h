// The state of a batch: a file of lines of JSON, one for each finished task, to which every run
// appends. A run that was killed continues by it, and a run after a change finds what is up to
// date.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batch/jobs/batch_plan.h"
#include "skinbake/error.h"

namespace skinbake {

// A file that a task has read or written.
struct StateFile {
  std::string path;  // as the task named it
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  // since 1970; 0: unknown, or too young to be relied on
  // Of a folder that `diff` compares, the hash of the names of its caches, rigs and sidecars.
  // Empty: the file does not exist, such as the sidecar of a cache.
  std::string xxh128;
};

// Describes a file on the disk. None if it is not a readable file.
std::optional<StateFile> state_of_file(const std::string& path);

// The same for a file or folder that a task has looked for: without a hash if it does not exist.
std::optional<StateFile> state_of_input(const std::string& path);

// Whether a file has the recorded bytes, a folder the recorded names, or is still absent.
// `trust_mtime`: a file whose size and time are as recorded is not read.
bool is_unchanged(const StateFile& file, bool trust_mtime);

// A limit that was compared with one run of a task, for pages of results.
struct TaskCheck {
  std::string mesh, clip, method;  // empty: unknown
  std::string limit;               // "error.max at most 0.01 m"; empty: the run has no limit
  std::string value;               // "0.0273 m, frame 42"
  bool passed = true;
  bool is_warning = false;  // exceeded, it does not fail the task
  double excess = 0;        // the value in limits, if it is exceeded; infinite without a ratio
  bool operator==(const TaskCheck&) const = default;
};

struct TaskRecord {
  TaskName name;
  std::string key;  // task_key()
  int exit_code = 0;
  std::int64_t frames = 0;
  std::vector<StateFile> inputs, outputs;  // in the order in which the task named them
  std::vector<std::string> errors;         // one line each
  Issues issues;                           // each code and place once, the allowed ones too
  std::vector<std::string> allowed = {};   // codes of those warnings that --allow names, in order
  std::vector<TaskCheck> checks = {};      // of each mesh and clip
};

// Whether the record says that the task has passed, although a limit failed it.
bool contradicts_itself(const TaskRecord& record);

// What the results of a task depend on: the program's build, the words of the task's command line
// without options that change no result, such as --sync, and the bytes of its inputs.
// 32 hexadecimal digits, XXH3 with 128 bits.
std::string task_key(std::span<const std::string> words, std::span<const StateFile> inputs);

// Whether an issue of the record is a warning that is allowed.
bool is_allowed(const TaskRecord& record, const Issue& issue);

// Identifies the program: its version, and a hash of its sources.
std::string_view build_id();

// One run of a batch, or of a shard of it.
struct StateRun {
  std::uint64_t shard = 1, shards = 1;
  std::string plan;  // plan_id(): of the whole batch
  bool operator==(const StateRun&) const = default;
};

// Identifies the tasks of a plan: their names, in order.
std::string plan_id(const BatchPlan& plan);

// The records of a state file by task. Reads the file anew for each record, so that a million of
// them need little memory. Functions may be called by several threads at a time.
class BatchState {
 public:
  // Opens the file, and creates it if `create`. A line that a killed run has not finished is cut
  // off. A file with damaged lines is written anew without them. Throws Error: STATE_INVALID
  // (kInput) if the file is not a state file; STATE_IN_USE (kOutput) if another batch writes to it;
  // OUTPUT_NOT_WRITTEN (kOutput) or FILE_UNREADABLE (kInput) if it cannot be opened. An empty path:
  // the state is kept in memory only.
  enum class Access { kRead, kAppend };
  BatchState(const std::string& path, Access access);
  ~BatchState();
  BatchState(BatchState&&) noexcept;

  std::uint64_t damaged_lines() const;  // lines that cannot be read; their tasks are done anew
  const std::vector<StateRun>& runs() const;
  std::vector<TaskName> names() const;  // of all tasks with a record
  std::optional<TaskRecord> find(const TaskName& name) const;

  // find() has no record of the task from now on; the file keeps it for further runs.
  void forget(const TaskName& name);

  // The facts of a rig of an earlier run, unless its files have changed; none: not known.
  std::optional<RigFacts> find_facts(const PlannedRig& rig, bool trust_mtime) const;

  bool appends() const;  // Access::kAppend

  // Append one line. Precondition: appends(). The line is written before the function returns, and
  // reaches the disk (fsync) soon after, at the latest when the state is destroyed. Throw Error
  // (kOutput).
  void append(const StateRun& run);
  void append(const TaskRecord& record);
  void append(const PlannedRig& rig, std::span<const StateFile> files);

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace skinbake
