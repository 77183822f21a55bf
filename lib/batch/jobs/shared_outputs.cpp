// Refuses a plan if tasks would write one file twice, replace a file of the batch, or read a file
// that another task writes. Tasks run in any order: the reader would find the file of this run or
// of the last one, or none.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <unordered_map>

#include "batch/jobs/batch_plan.h"
#include "batch/jobs/job_paths.h"
#include "batch/jobs/task_files.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

struct Output {
  std::size_t hash;
  std::uint32_t task;

  bool operator<(const Output& other) const {
    return hash != other.hash ? hash < other.hash : task < other.task;
  }
};

}  // namespace

void BatchPlan::refuse_replaced_files(const BatchFiles& own) const {
  FilePlaces places;
  std::unordered_map<std::string, const char*> kept;  // place -> code of the error
  for (const NamedInput& file : own.read) kept.emplace(places.of(file.path), "OUTPUT_IS_INPUT");
  for (const PlannedRig& rig : rigs_) {
    kept.emplace(places.of(rig.path), "OUTPUT_IS_INPUT");
    if (!rig.facts) continue;
    for (const std::string& file : rig.facts->files) {
      kept.emplace(places.of(file), "OUTPUT_IS_INPUT");
    }
  }
  for (const NamedInput& file : own.written) kept.emplace(places.of(file.path), "OUTPUT_TWICE");
  std::vector<Output> all;
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    for (const std::string& path : written_files(tasks_[t])) {
      const std::string place = places.of(path);
      all.push_back({std::hash<std::string>()(place), static_cast<std::uint32_t>(t)});
      const auto found = kept.find(place);
      if (found == kept.end()) continue;
      throw Error(found->second,
                  text_of_task(name(tasks_[t])) + " would replace '" + path +
                      "', which the batch itself reads or writes",
                  {manifest_.path, "/jobs/" + std::to_string(tasks_[t].job)},
                  "choose another name");
    }
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].hash != all[i - 1].hash || all[i].task == all[i - 1].task) continue;
    const BatchTask &first = tasks_[all[i - 1].task], &second = tasks_[all[i].task];
    std::vector<std::string> firsts = written_files(first);
    std::transform(firsts.begin(), firsts.end(), firsts.begin(),
                   [&](const std::string& path) { return places.of(path); });
    for (const std::string& path : written_files(second)) {
      if (std::find(firsts.begin(), firsts.end(), places.of(path)) == firsts.end()) continue;
      throw Error("OUTPUT_TWICE",
                  text_of_task(name(first)) + ", and " + text_of_task(name(second)) +
                      ", both write '" + std::filesystem::path(path).lexically_normal().string() +
                      "'; put {rig}, {clip}, {mesh} or {method} into the path",
                  {manifest_.path, "/jobs/" + std::to_string(second.job)});
    }
  }
}

namespace {

struct Reader {
  std::size_t task = 0;
  std::string path;  // as its settings name it
};

// By place. Two of the tasks that read a file are kept. A task that writes the file is not refused
// here for reading it, because the task itself refuses that.
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
        throw Error("OUTPUT_IS_INPUT",
                    text_of_task(name(tasks_[t])) + " would replace '" + path +
                        "' of the bind cache '" + reader->path + "' of " +
                        text_of_task(name(tasks_[reader->task])),
                    {manifest_.path, "/jobs/" + std::to_string(tasks_[t].job)});
      }
      const Reader* const reader = reader_of(readers, place, is_of_library(path), t);
      if (reader == nullptr) continue;
      const BatchTask& reading = tasks_[reader->task];
      throw Error("OUTPUT_IS_INPUT",
                  text_of_task(name(reading)) + " reads '" + reader->path + "', and " +
                      text_of_task(name(tasks_[t])) + " writes '" + path + "'",
                  {manifest_.path, "/jobs/" + std::to_string(reading.job)},
                  "tasks run in any order: put the job that reads into a second manifest");
    }
  }
}

}  // namespace skinbake
