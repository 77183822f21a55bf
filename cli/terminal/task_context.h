// A command as a task of a batch: its messages are collected instead of printed, its rigs come from
// the batch, and the files that it reads and writes are recorded.

#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "batch/state/batch_state.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// A file that a task has read. The hash covers the bytes that were read; empty: unknown, and the
// task has asked TaskContext::note for them.
struct TaskInput {
  std::string path;
  std::string xxh128;
};

struct TaskContext {
  // Returns a rig of the batch. Throws as load_asset.
  std::function<Asset(const std::string& path, const LoadOptions& options)> load;
  // Takes the number of frames that were evaluated since the last call; from any thread.
  std::function<void(std::int64_t frames)> advance;
  // Notes the present bytes of a file, or that it does not exist.
  std::function<void(const std::string& path)> note;

  std::vector<std::string> errors;    // messages of log_error
  std::vector<std::string> warnings;  // messages of log_warning
  Issues issues;                      // of log_issues; files as on the command line
  std::set<std::string> allowed;      // codes of --allow
  std::vector<TaskCheck> checks;
  std::string error_code;  // of the Error that ended the command; empty: none
  std::vector<TaskInput> inputs;
  std::vector<std::string> outputs;  // of the last commit
};

// The task that this thread runs; null: the command runs alone in its process.
TaskContext* task_context();

// The thread runs the task while this exists.
class TaskScope {
 public:
  explicit TaskScope(TaskContext& context);
  ~TaskScope();
  TaskScope(const TaskScope&) = delete;
};

// Loads a rig, or returns the copy that a batch has of it. Throws as load_asset.
Asset load_rig(const std::string& path, const LoadOptions& options);

// Calls `work`. An input error without a location then names the file and the mesh's node.
template <class Work>
void with_mesh_location(const std::string& file, const Rig& rig, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput || !error.location().file.empty()) throw;
    throw Error(error.code(), error.message(), {file, "/nodes/" + std::to_string(rig.node)},
                error.remedy());
  }
}

// Records files that the command reads. `known`: those whose hashes are known. A file without a
// known hash is recorded as it is now, so call this before it is read: if another program changes
// it meanwhile, the next run does the task again.
void record_inputs(const std::vector<std::string>& paths, const std::vector<InputFile>& known = {});

// Records the images that a rig names and that were not read: one that is missing may be put in
// place later. For commands that write images.
void record_unread(const Asset& asset);

// Gives the outputs of a command their names, all or none. Call last, when only the naming itself
// can fail. In a task, an output with the same bytes as the older file leaves that file as it is.
// `sync`: their contents survive a power cut. Throws Error (kOutput).
void commit_outputs(const std::vector<OutputFile*>& files, bool sync = false);

}  // namespace skinbake::cli
