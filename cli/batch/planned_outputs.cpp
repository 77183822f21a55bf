#include "batch/planned_outputs.h"

#include <fcntl.h>
#include <unistd.h>

#include "batch/open_batch.h"
#include "batch/scheduler.h"

namespace skinbake::cli {

namespace {

// Returns to the present folder at the end.
class FolderScope {
 public:
  FolderScope() : folder_(::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ >= 0) return;
    throw Error(ErrorKind::kInput, "FILE_UNREADABLE", "the current folder cannot be read",
                {".", ""});
  }
  ~FolderScope() {
    // A folder that was entered before can be entered again, unless its rights have just changed.
    if (::fchdir(folder_) != 0) ::_exit(70);
    ::close(folder_);
  }
  FolderScope(const FolderScope&) = delete;
  FolderScope& operator=(const FolderScope&) = delete;

 private:
  int folder_;
};

}  // namespace

std::vector<PlannedOutput> planned_outputs(const std::string& manifest, std::uint64_t max_memory) {
  const FolderScope scope;
  BatchOptions options;
  options.max_memory = max_memory;
  Batch batch;
  open_batch(manifest, {}, {}, max_memory, batch);
  BatchState state("", BatchState::Access::kAppend);
  Scheduler::find_facts(options, *batch.plan, state);
  batch.plan->list_tasks();
  batch.plan->refuse_shared_outputs({});
  std::vector<PlannedOutput> outputs;
  for (const BatchTask& task : batch.plan->tasks()) {
    const std::string rig = batch.plan->name(task).rig;
    for (std::string& output : batch.plan->outputs(task)) {
      outputs.push_back({std::move(output), rig});
    }
  }
  return outputs;
}

int bring_up_to_date(const std::string& manifest, std::uint64_t max_memory) {
  const FolderScope scope;
  BatchOptions options;
  options.manifest = manifest;
  options.max_memory = max_memory;
  options.common.quiet = true;
  return run_batch(std::move(options));
}

}  // namespace skinbake::cli
