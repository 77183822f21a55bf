#include "terminal/task_context.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/paths.h"
#include "json/text.h"
#include "memory_limit.h"
#include "terminal/interrupt.h"

namespace skinbake::cli {

namespace {

thread_local TaskContext* context_of_thread = nullptr;

// Whether two files have the same bytes. False if one cannot be read.
bool have_same_bytes(const std::string& a, const std::string& b) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(a, unknown)) return false;
  const std::uintmax_t size = std::filesystem::file_size(a, unknown);
  if (unknown || std::filesystem::file_size(b, unknown) != size || unknown) return false;
  std::ifstream left(a, std::ios::binary), right(b, std::ios::binary);
  constexpr std::size_t kChunk = std::size_t{256} << 10;
  std::string of_left(kChunk, '\0'), of_right(kChunk, '\0');
  for (std::uintmax_t done = 0; done < size;) {
    const auto part = static_cast<std::streamsize>(std::min<std::uintmax_t>(kChunk, size - done));
    if (!left.read(of_left.data(), part) || !right.read(of_right.data(), part)) return false;
    if (!std::equal(of_left.begin(), of_left.begin() + part, of_right.begin())) return false;
    done += static_cast<std::uintmax_t>(part);
  }
  return true;
}

// The files whose bytes are new.
std::vector<OutputFile*> changed(const std::vector<OutputFile*>& files) {
  std::vector<OutputFile*> rest;
  for (OutputFile* file : files) {
    const bool is_same =
        !file->is_committed() && have_same_bytes(file->path(), file->readable_path());
    if (!is_same) rest.push_back(file);
  }
  return rest;
}

}  // namespace

TaskContext* task_context() {
  return context_of_thread;
}

TaskScope::TaskScope(TaskContext& context) {
  context_of_thread = &context;
}

TaskScope::~TaskScope() {
  context_of_thread = nullptr;
}

Asset load_rig(const std::string& path, const LoadOptions& options) {
  note_work("reading", printable(path));
  TaskContext* const context = task_context();
  return context == nullptr ? load_asset(path, options) : context->load(path, options);
}

void record_inputs(const std::vector<std::string>& paths, const std::vector<InputFile>& known) {
  TaskContext* const context = task_context();
  if (context == nullptr) return;
  for (const std::string& path : paths) {
    const auto is_same = [&](const TaskInput& input) { return input.path == path; };
    if (std::any_of(context->inputs.begin(), context->inputs.end(), is_same)) continue;
    std::string hash;
    int matches = 0;  // the last part of an absolute path may name several files
    for (const InputFile& input : known) {
      if (input.path != shown(path)) continue;
      hash = input.xxh128;
      ++matches;
    }
    if (matches != 1) hash.clear();
    if (hash.empty() && context->note) context->note(path);
    context->inputs.push_back({path, hash});
  }
}

void record_unread(const Asset& asset) {
  const std::vector<std::string>& read = asset.files;
  for (const std::string& path : asset.unread_files) {
    if (std::find(read.begin(), read.end(), path) == read.end()) record_inputs({path});
  }
}

void commit_outputs(const std::vector<OutputFile*>& files, bool sync) {
  TaskContext* const context = task_context();
  const std::vector<OutputFile*> rest = context != nullptr ? changed(files) : files;
  // Before the commit, which a signal waits for.
  if (sync) {
    for (OutputFile* file : rest) file->sync();
  }
  if (!files.empty()) commit_uninterrupted([&] { commit_together(rest); });
  if (context == nullptr) return;
  context->outputs.clear();
  for (const OutputFile* file : files) {
    const auto& known = context->outputs;
    if (std::find(known.begin(), known.end(), file->path()) != known.end()) continue;
    context->outputs.push_back(file->path());
  }
}

}  // namespace skinbake::cli
