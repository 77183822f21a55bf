// Refuses a plan whose tasks would write one file twice, or replace a file of the batch.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <unordered_map>

#include "batch/jobs/batch_plan.h"
#include "batch/jobs/file_places.h"
#include "batch/jobs/job_paths.h"
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
      throw Error(ErrorKind::kUsage, found->second,
                  text_of_task(name(tasks_[t])) + " would replace '" + path +
                      "', which the batch itself reads or writes; choose another name",
                  {manifest_.path, "/jobs/" + std::to_string(tasks_[t].job)});
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
      throw Error(ErrorKind::kUsage, "OUTPUT_TWICE",
                  text_of_task(name(first)) + ", and " + text_of_task(name(second)) +
                      ", both write '" + std::filesystem::path(path).lexically_normal().string() +
                      "'; put {rig}, {clip}, {mesh} or {method} into the path",
                  {manifest_.path, "/jobs/" + std::to_string(second.job)});
    }
  }
}

}  // namespace skinbake
