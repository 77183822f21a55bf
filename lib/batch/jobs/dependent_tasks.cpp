// Refuses a plan in which a task reads what another one writes. Tasks run in any order: the reader
// would find the file of this run or of the last one, or none.

#include <filesystem>
#include <unordered_map>

#include "batch/jobs/batch_plan.h"
#include "batch/jobs/file_places.h"
#include "batch/jobs/job_paths.h"
#include "batch/jobs/task_inputs.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

struct Reader {
  std::size_t task = 0;
  std::string path;  // as its settings name it
};

// By place. Of the tasks that read a file, two are kept: the one that writes it is not refused for
// its own reading, which it refuses itself.
using Readers = std::unordered_map<std::string, std::vector<Reader>>;
constexpr std::size_t kKept = 2;

void add(const std::string& place, const Reader& reader, Readers& readers) {
  std::vector<Reader>& kept = readers[place];
  if (kept.size() < kKept) kept.push_back(reader);
}

std::string without_slashes(std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

Readers readers_of(const BatchPlan& plan) {
  Readers readers;
  std::unordered_map<std::string, std::size_t> tasks_of;  // by path
  FilePlaces places;
  for (std::size_t t = 0; t < plan.tasks().size(); ++t) {
    for (const std::string& path : plan.inputs(plan.tasks()[t])) {
      if (++tasks_of[path] > kKept) continue;
      const std::string plain = without_slashes(path);
      add(file_keys(plain).front(), {t, path}, readers);
      for (const std::string& file : files_of_input(plain)) {
        add(places.of(file), {t, path}, readers);
      }
    }
  }
  return readers;
}

// A task other than `writer` that reads the file, or a folder that it is in. Null: none.
const Reader* reader_of(const Readers& readers, std::string place, bool with_folders,
                        std::size_t writer) {
  for (;;) {
    if (const auto found = readers.find(place); found != readers.end()) {
      for (const Reader& reader : found->second) {
        if (reader.task != writer) return &reader;
      }
    }
    const std::size_t slash = place.rfind('/');
    if (!with_folders || slash == std::string::npos || slash == 0) return nullptr;
    place.resize(slash);
  }
}

// A task other than `writer` whose bind cache the place is, or is a file of. Null: none.
const Reader* reader_of_bind(const Readers& binds, const std::string& place, std::size_t writer) {
  const Reader* const whole = reader_of(binds, place, false, writer);
  const std::filesystem::path file(place);
  if (whole != nullptr || file.extension() != ".skbind") return whole;
  return reader_of(binds, file.parent_path().string(), false, writer);
}

}  // namespace

void BatchPlan::refuse_dependent_tasks() const {
  const Readers readers = readers_of(*this);
  Readers binds;
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    const std::string folder = bind_cache(tasks_[t]);
    if (!folder.empty()) add(file_keys(without_slashes(folder)).front(), {t, folder}, binds);
  }
  if (readers.empty() && binds.empty()) return;
  FilePlaces places;
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    for (const std::string& path : written_files(tasks_[t])) {
      const std::string place = places.of(path);
      if (const Reader* const reader = reader_of_bind(binds, place, t)) {
        throw Error(ErrorKind::kUsage, "OUTPUT_IS_INPUT",
                    text_of_task(name(tasks_[t])) + " would replace '" + path +
                        "' of the bind cache '" + reader->path + "' of " +
                        text_of_task(name(tasks_[reader->task])) + "; choose another name",
                    {manifest_.path, "/jobs/" + std::to_string(tasks_[t].job)});
      }
      const Reader* const reader = reader_of(readers, place, is_of_library(path), t);
      if (reader == nullptr) continue;
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
