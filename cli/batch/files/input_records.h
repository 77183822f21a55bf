// The files that tasks have read and written, as the state records them.

#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "batch/state/batch_state.h"
#include "task/task_context.h"

namespace skinbake::cli {

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

}  // namespace skinbake::cli
