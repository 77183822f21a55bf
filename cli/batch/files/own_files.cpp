#include "batch/files/own_files.h"

#include <filesystem>
#include <unordered_set>
#include <utility>

#include "batch/results/overview.h"
#include "options/parsing/usage_error.h"
#include "report/overview.h"

namespace skinbake::cli {

namespace {

// Two results on standard output cannot be told apart.
void require_one_on_stdout(const BatchPages& pages) {
  const char* first = nullptr;
  for (const auto& [name, path] : pages.named()) {
    if (*path != "-") continue;
    if (first != nullptr) {
      throw UsageError(name, "and " + std::string(first) +
                                 " both are on standard output; give one of them a file");
    }
    first = name;
  }
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
                     const BatchPages& pages, const BatchPlan& plan,
                     std::span<const std::uint64_t> tasks) {
  require_one_on_stdout(pages);
  BatchFiles own;
  const auto add = [](std::vector<NamedInput>& files, const std::string& path, const char* role) {
    if (!path.empty() && path != "-") files.push_back({path, role});
  };
  add(own.read, manifest == "-" ? "" : std::filesystem::path(manifest).filename().string(),
      "manifest");
  for (const std::string& path : states) add(own.read, path, "state");
  add(own.written, pages.summary, "summary");
  add(own.written, pages.junit, "JUnit file");
  add(own.written, pages.markdown, "Markdown file");
  add(own.written, pages.html, "web page");
  if (!pages.html.empty()) {
    for (const std::string& path : overview_pages(pages.html, reports_of(plan, tasks)).paths) {
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
    throw Error(ErrorKind::kUsage, "OUTPUT_TWICE",
                "the " + file.role + " '" + file.path +
                    "' and another result are one file; choose another name");
  }
  return own;
}

}  // namespace skinbake::cli
