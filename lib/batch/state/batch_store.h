// A folder with the outputs of finished tasks, which batches share: of several work trees, of
// several machines.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/output_file.h"
#include "batch/state/batch_state.h"

namespace skinbake {

// A task that the store has. Its outputs have their bytes, but not yet their names.
struct StoredTask {
  TaskRecord record;              // inputs and outputs as the run that stored them named them
  std::vector<OutputFile> files;  // those of the outputs whose bytes are not there already
};

// Files are added by renaming, and read with their hashes, so that processes may share a folder, be
// killed at any time, and meet damaged files. Functions may be called by several threads.
//
//   DIR/tasks/WW/WORDS/KEY   a line of the state with its hash: a task, and the hashes of its files
//   DIR/files/HH/HASH        the bytes of an output
//
// WORDS is the hash of the program's build and of the task's words_of_key(), KEY is task_key().
class BatchStore {
 public:
  // `limit_bytes`: of disk space, which drop_unused() restores. `trusts_others`: what other users
  // may have written counts. `max_memory`: bytes of a record of a task; find() leaves larger ones
  // unread.
  BatchStore(std::string folder, std::uint64_t limit_bytes, bool trusts_others = false,
             std::uint64_t max_memory = std::uint64_t{4} << 30);

  // Says why another user may have written to the folder; empty: none can have, it is missing, or
  // others are trusted.
  std::string distrust() const;

  // Whether a file is as a record states it.
  using Check = std::function<bool(const StateFile&)>;

  // The task with these words and with the present bytes of its inputs. None: the store does not
  // have it, or not all of its outputs with the recorded hashes; what is damaged is removed.
  // `may_write`: the paths of outputs that are accepted. Throws Error (kOutput).
  std::optional<StoredTask> find(std::span<const std::string> words, const Check& is_unchanged,
                                 const std::function<bool(const std::string&)>& may_write);

  // Stores a task that has succeeded. Throws Error (kOutput) if the folder cannot be written.
  void keep(std::span<const std::string> words, const TaskRecord& record);

  // Removes the files that were used least recently, if the limit is exceeded. Throws nothing: what
  // cannot be removed stays.
  void drop_unused();

 private:
  std::string tasks_folder(std::span<const std::string> words) const;
  std::string file_path(const std::string& xxh128) const;
  std::optional<OutputFile> stored_file(const StateFile& output) const;
  void keep_file(const StateFile& output);
  void count_written(std::uint64_t bytes);

  std::string folder_;
  std::uint64_t limit_bytes_;
  bool trusts_others_;
  std::uint64_t max_memory_;
  std::atomic<std::uint64_t> written_{0};  // since drop_unused()
  std::mutex dropping_;
};

}  // namespace skinbake
