// The identity of a task's result, and of the files that it read and wrote.

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/bytes.h"
#include "base/random_access_file.h"
#include "batch/jobs/task_files.h"
#include "batch/state/batch_state.h"
#include "compare/library_pairs.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Options that change no result.
bool is_neutral(const std::string& word) {
  return word == "--sync" || word.starts_with("--bind-cache=");
}

// Appends a text and its end, so that {"ab", "c"} and {"a", "bc"} differ.
void update(Xxh128& hash, std::string_view text) {
  hash.update(text.data(), text.size());
  hash.update("\0", 1);
}

bool is_absent(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

bool names_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// None if the folder cannot be read.
std::optional<StateFile> state_of_folder(const std::string& path) {
  try {
    Xxh128 hash;
    for (const LibraryFile& file : files_in_library(path)) {
      if (is_of_library(file.name)) update(hash, file.name);
    }
    return StateFile{path, 0, 0, hash.hex()};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::optional<StateFile> state_of_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  try {
    const RandomAccessFile file(path);
    return StateFile{path, file.size(),
                     std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
                     file.xxh128()};
  } catch (const Error&) {
    return {};
  }
}

std::optional<StateFile> state_of_input(const std::string& path) {
  if (std::optional<StateFile> file = state_of_file(path)) return file;
  if (names_folder(path)) return state_of_folder(path);
  if (!is_absent(path)) return {};
  return StateFile{path, 0, 0, ""};
}

bool is_unchanged(const StateFile& file, bool trust_mtime) {
  if (file.xxh128.empty()) return is_absent(file.path);
  if (names_folder(file.path)) {
    const std::optional<StateFile> now = state_of_folder(file.path);
    return now && now->xxh128 == file.xxh128;
  }
  struct stat status {};
  if (::stat(file.path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (static_cast<std::uint64_t>(status.st_size) != file.bytes) return false;
  const std::int64_t modified_ns =
      std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  if (trust_mtime && file.modified_ns != 0 && modified_ns == file.modified_ns) return true;
  const std::optional<StateFile> now = state_of_file(file.path);
  return now && now->xxh128 == file.xxh128;
}

std::string task_key(std::span<const std::string> words, std::span<const StateFile> inputs) {
  Xxh128 hash;
  update(hash, build_id());
  for (const std::string& word : words) {
    if (!is_neutral(word)) update(hash, word);
  }
  update(hash, "inputs");
  for (const StateFile& input : inputs) {
    update(hash, input.path);
    update(hash, input.xxh128);
  }
  return hash.hex();
}

bool is_allowed(const TaskRecord& record, const Issue& issue) {
  return issue.severity == Severity::kWarning &&
         std::find(record.allowed.begin(), record.allowed.end(), issue.code) !=
             record.allowed.end();
}

bool contradicts_itself(const TaskRecord& record) {
  return record.exit_code == 0 &&
         std::any_of(record.checks.begin(), record.checks.end(),
                     [](const TaskCheck& check) { return !check.passed && !check.is_warning; });
}

std::string plan_id(const BatchPlan& plan) {
  Xxh128 hash;
  for (const BatchTask& task : plan.tasks()) {
    const TaskName name = plan.name(task);
    for (const std::string& text : {name.job, name.rig, name.clip}) update(hash, text);
  }
  return hash.hex();
}

}  // namespace skinbake
