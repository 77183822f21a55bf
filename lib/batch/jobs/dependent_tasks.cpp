// Refuses a plan in which a task reads what another one writes. Tasks run in any order: the reader
// would find the file of this run or of the last one, or none.

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "batch/jobs/file_places.h"
#include "batch/jobs/job_paths.h"
#include "skinbake/error.h"
#include "skinbake/tool/batch/batch_plan.h"
#include "skinbake/tool/files/file_name.h"

namespace skinbake {

namespace {

struct Reader {
  std::size_t task = 0;
  std::string path;  // as its settings name it
};

using Readers = std::unordered_map<std::string, Reader>;  // by place

// `diff` of two folders reads only these of their files.
bool is_read_of_folders(const std::string& path) {
  constexpr std::array<std::string_view, 4> kExtensions{".pc2", ".mdd", ".npy", ".glb"};
  return std::any_of(kExtensions.begin(), kExtensions.end(),
                     [&](std::string_view extension) { return has_extension(path, extension); });
}

Readers readers_of(const BatchPlan& plan) {
  Readers readers;
  std::unordered_set<std::string> seen;
  for (std::size_t t = 0; t < plan.tasks().size(); ++t) {
    for (const std::string& path : plan.inputs(plan.tasks()[t])) {
      if (!seen.insert(path).second) continue;
      std::string plain = path;
      while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
      readers.emplace(file_keys(plain).front(), Reader{t, path});
    }
  }
  return readers;
}

// The task that reads the file, or a folder that it is in. Null: none.
const Reader* reader_of(const Readers& readers, std::string place, bool with_folders) {
  for (;;) {
    const auto found = readers.find(place);
    if (found != readers.end()) return &found->second;
    const std::size_t slash = place.rfind('/');
    if (!with_folders || slash == std::string::npos || slash == 0) return nullptr;
    place.resize(slash);
  }
}

}  // namespace

void BatchPlan::refuse_dependent_tasks() const {
  const Readers readers = readers_of(*this);
  if (readers.empty()) return;
  FilePlaces places;
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    for (const std::string& path : outputs(tasks_[t])) {
      const Reader* const reader = reader_of(readers, places.of(path), is_read_of_folders(path));
      if (reader == nullptr || reader->task == t) continue;
      const BatchTask& reading = tasks_[reader->task];
      throw Error(ErrorKind::kUsage, "OUTPUT_IS_INPUT",
                  text_of_task(name(reading)) + " reads '" + reader->path + "', and " +
                      text_of_task(name(tasks_[t])) + " writes '" + path +
                      "'; tasks run in any order: put the job that reads into a second manifest",
                  {manifest_.path, "/jobs/" + std::to_string(reading.job)});
    }
  }
}

}  // namespace skinbake
