// The files of a batch: inputs and outputs of its tasks, and the results of the batch itself.

#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "batch/jobs/batch_plan.h"
#include "batch/options.h"
#include "batch/state/batch_state.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

class PossibleOutputs {
 public:
  // Adds an output or report, with its sidecar, the files that its format may write beside it, and
  // the arrays beside a report.
  void add(const std::string& output);

  // `path`: also one whose name temporary files have shortened.
  bool have(const std::string& path) const;

  // The folders of all files.
  const std::unordered_set<std::string>& folders() const { return folders_; }

 private:
  void add_file(const std::string& path);
  bool is_array_of_report(const std::string& path) const;

  std::unordered_set<std::string> files_;    // without links, and as temporary files shorten them
  std::unordered_set<std::string> reports_;  // without extension
  std::unordered_set<std::string> folders_;
};

// Thread-safe. Many tasks read the same rig, whose bytes are hashed once.
class InputRecords {
 public:
  // Files whose time is not older than now are recorded without it: they may have changed while
  // they were read.
  InputRecords();

  // Notes the present state of a file that a task is about to read. Later changes in this run do
  // not change its record.
  void note(const std::string& path);
  // The records of files that a task has read.
  std::vector<StateFile> of(const std::vector<TaskInput>& inputs);
  // Whether a file that an earlier run has read is as it was.
  bool is_unchanged(const StateFile& file, bool trust_mtime);

 private:
  // The present state of a file. Precondition: the mutex is locked.
  const std::optional<StateFile>& now(const std::string& path);

  std::int64_t start_ns_;
  std::mutex mutex_;
  std::map<std::string, std::optional<StateFile>> known_;  // by path
  std::map<std::string, bool> unchanged_;                  // by path and hash
};

// Removes the temporary files that killed runs have left of the tasks' outputs, of the files beside
// them, and of `others`, further files that a batch writes; empty paths are skipped. A folder in
// which any process has a temporary file stays as it is: call while no task runs.
void remove_orphans(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                    std::span<const std::string> others);

// `manifest`: of the command line, "-" for standard input; the current folder is the manifest's,
// and the facts of the rigs and the tasks are known. The web page of all reports has pages of the
// reports of `tasks` beside it. Empty paths and "-" are left out. Throws Error (kUsage):
// OUTPUT_IS_INPUT if a result would replace the manifest, a state, a file of options, a file of a
// rig of `plan` or a file that a task's settings name; OUTPUT_TWICE if two of them are one file or
// standard output.
BatchFiles own_files(const std::string& manifest, const std::vector<std::string>& states,
                     const std::vector<ReportFile>& reports, const BatchPlan& plan,
                     std::span<const std::uint64_t> tasks);

}  // namespace skinbake::cli
