#include "batch/files/input_records.h"

#include <chrono>

namespace skinbake::cli {

InputRecords::InputRecords()
    : start_ns_(std::chrono::duration_cast<std::chrono::nanoseconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count()) {}

const std::optional<StateFile>& InputRecords::now(const std::string& path) {
  const auto known = known_.find(path);
  if (known != known_.end()) return known->second;
  std::optional<StateFile> file = state_of_input(path);
  // File systems have times of 10 ms and coarser: a file of the last two seconds is too young.
  constexpr std::int64_t kCoarseNs = 2'000'000'000;
  if (file && file->modified_ns > start_ns_ - kCoarseNs) file->modified_ns = 0;
  return known_.emplace(path, std::move(file)).first->second;
}

void InputRecords::note(const std::string& path) {
  const std::lock_guard lock(mutex_);
  now(path);
}

std::vector<StateFile> InputRecords::of(const std::vector<TaskInput>& inputs) {
  std::vector<StateFile> files;
  for (const TaskInput& input : inputs) {
    std::optional<StateFile> file;
    {
      const std::lock_guard lock(mutex_);
      file = now(input.path);
    }
    if (!file) continue;  // not a file
    if (!input.xxh128.empty() && input.xxh128 != file->xxh128) {
      file->xxh128 = input.xxh128;  // it has changed after the task read it
      file->modified_ns = 0;
    }
    files.push_back(std::move(*file));
  }
  return files;
}

bool InputRecords::is_unchanged(const StateFile& file, bool trust_mtime) {
  const std::string key = file.path + '\0' + file.xxh128;
  {
    const std::lock_guard lock(mutex_);
    const auto known = unchanged_.find(key);
    if (known != unchanged_.end()) return known->second;
  }
  const bool is_same = skinbake::is_unchanged(file, trust_mtime);
  const std::lock_guard lock(mutex_);
  return unchanged_.emplace(key, is_same).first->second;
}

}  // namespace skinbake::cli
