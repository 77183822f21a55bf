#include "batch/files.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/temporary_names.h"
#include "batch/results.h"
#include "options/usage_error.h"
#include "outputs/output_paths.h"
#include "outputs/overview_pages.h"

namespace skinbake::cli {

namespace {

std::string plain(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

// An output that is a link is written beside the file to which it points.
std::string target_of(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_symlink(path, unknown)) return plain(path);
  const std::filesystem::path target = std::filesystem::canonical(path, unknown);
  return unknown ? plain(path) : target.string();
}

}  // namespace

void PossibleOutputs::add_file(const std::string& path) {
  files_.insert(path);
  files_.insert(shortened_name(path));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  folders_.insert(folder.empty() ? "." : folder);
}

void PossibleOutputs::add(const std::string& output) {
  const std::string path = target_of(output);
  add_file(path);
  add_file(path + ".json");
  for (const std::string& beside : possible_auxiliary_files_of(path)) add_file(beside);
  reports_.insert(std::filesystem::path(path).replace_extension().string());
}

// "run.Body.walk.dqs.per_vertex.npy" stands beside the report "run.json".
bool PossibleOutputs::is_array_of_report(const std::string& path) const {
  constexpr std::string_view kArraysEnd = ".per_vertex.npy";
  if (!path.ends_with(kArraysEnd)) return false;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
    if (reports_.contains(path.substr(0, dot))) return true;
  }
  return false;
}

bool PossibleOutputs::have(const std::string& path) const {
  const std::string target = plain(path);
  return files_.contains(target) || is_array_of_report(target);
}

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

void remove_orphans(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                    std::span<const std::string> others) {
  PossibleOutputs possible;
  for (const std::uint64_t t : tasks) {
    for (const std::string& output : plan.outputs(plan.tasks()[t])) possible.add(output);
  }
  for (const std::string& other : others) {
    if (!other.empty()) possible.add(other);
  }
  for (const std::string& folder : possible.folders()) {
    remove_orphans_in(folder, [&](const std::string& target) {
      return possible.have((std::filesystem::path(folder) / target).string());
    });
  }
}

namespace {

// Two results on standard output cannot be told apart.
void require_one_on_stdout(const std::vector<ReportFile>& reports) {
  const auto count = std::count_if(reports.begin(), reports.end(),
                                   [](const ReportFile& report) { return report.path == "-"; });
  if (count < 2) return;
  throw UsageError("--report", "two reports are on standard output; give one of them a file");
}

// The files that the tasks read by their settings.
std::vector<NamedInput> inputs_of_tasks(const BatchPlan& plan) {
  std::vector<NamedInput> inputs;
  std::unordered_set<std::string> known;
  for (const BatchTask& task : plan.tasks()) {
    for (const std::string& path : plan.inputs(task)) {
      if (!known.insert(path).second) continue;
      inputs.push_back({path, "input of a task"});
      for (std::string& file : files_of_input(path)) {
        inputs.push_back({std::move(file), "input of a task"});
      }
    }
  }
  return inputs;
}

std::vector<std::string> paths_of(const std::vector<NamedInput>& files) {
  std::vector<std::string> paths;
  for (const NamedInput& file : files) paths.push_back(file.path);
  return paths;
}

}  // namespace

BatchFiles own_files(const std::string& manifest, const std::vector<std::string>& states,
                     const std::vector<ReportFile>& reports, const BatchPlan& plan,
                     std::span<const std::uint64_t> tasks) {
  require_one_on_stdout(reports);
  BatchFiles own;
  const auto add = [](std::vector<NamedInput>& files, const std::string& path,
                      const std::string& role) {
    if (!path.empty() && path != "-") files.push_back({path, role});
  };
  add(own.read, manifest == "-" ? "" : std::filesystem::path(manifest).filename().string(),
      "manifest");
  for (const std::string& path : states) add(own.read, path, "state");
  for (const ReportFile& report : reports) {
    add(own.written, report.path, std::string(to_string(report.form)) + " report");
    if (report.form != ReportForm::kHtml) continue;
    for (const std::string& path : overview_pages(report.path, reports_of(plan, tasks)).paths) {
      add(own.written, path, "page of a report");
    }
  }

  std::vector<NamedInput> inputs = own.read;
  for (const PlannedRig& rig : plan.rigs()) {
    inputs.push_back({rig.path, "rig"});
    if (!rig.facts) continue;
    for (const std::string& file : rig.facts->files) inputs.push_back({file, "file of a rig"});
  }
  if (!own.written.empty()) {
    const std::vector<NamedInput> of_tasks = inputs_of_tasks(plan);
    inputs.insert(inputs.end(), of_tasks.begin(), of_tasks.end());
  }
  require_no_input(paths_of(own.written), inputs);
  std::unordered_set<std::string> places;
  for (const NamedInput& file : own.written) {
    if (places.insert(file_keys(file.path).front()).second) continue;
    throw Error("OUTPUT_TWICE", "the " + file.role + " '" + file.path +
                                    "' and another result are one file; choose another name");
  }
  return own;
}

}  // namespace skinbake::cli
