#include "batch/results/build_rules.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "outputs/depfile.h"

namespace skinbake::cli {

namespace {

constexpr std::string_view kDepfile = "--depfile=";

bool writes_depfile(const std::string& command) {
  return command != "diff";
}

// The arguments of a command, which are files.
std::vector<std::string> argument_files(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (std::size_t i = 1; i < words.size() && !words[i].starts_with('-'); ++i) {
    files.push_back(words[i]);
  }
  return files;
}

// The files that a word may name: "--clip=run.glb#Run", "--clip=poses:run.json", "--map=map.json".
std::vector<std::string> possible_files(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (!word.starts_with("--") || equals == std::string::npos) return {};
  const std::string value = word.substr(equals + 1);
  std::vector<std::string> files{value, value.substr(0, value.rfind('#'))};
  constexpr std::string_view kPoses = "poses:";
  if (value.starts_with(kPoses)) files.push_back(value.substr(kPoses.size()));
  return files;
}

bool all_of(const std::vector<std::string>& names, bool (*is_good)(const std::string&)) {
  return std::all_of(names.begin(), names.end(), is_good);
}

// Whether the depfile can be written, and Ninja reads the inputs in it. Of a depfile that Ninja
// does not remove, it also compares the outputs, where '%' is written for Make.
bool is_read_by_ninja(const BuildRule& rule, const std::vector<std::string>& inputs) {
  const auto is_compared = [](const std::string& name) {
    return ninja_reads(name) && name.find('%') == std::string::npos;
  };
  return all_of(rule.outputs, make_reads) && all_of(inputs, make_reads) &&
         all_of(inputs, ninja_reads) && (!rule.keeps_depfile || all_of(rule.outputs, is_compared));
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}  // namespace

std::vector<std::string> folders_of_input(const std::string& input) {
  std::vector<std::string> folders;
  std::error_code error;
  if (!std::filesystem::is_directory(input, error)) return folders;
  folders.push_back(input);
  std::filesystem::recursive_directory_iterator entry(input, error);
  for (const std::filesystem::recursive_directory_iterator end; !error && entry != end;
       entry.increment(error)) {
    std::error_code unknown;
    if (entry->is_directory(unknown)) folders.push_back(entry->path().string());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

// Throws if the task would fail by the names in its depfile, or if Make cannot read them.
void BuildRules::require_names(const BuildRule& rule,
                               const std::vector<std::string>& inputs) const {
  if (tool_ == BuildTool::kMake) {
    for (const std::string& output : rule.outputs) make_target(output);
    for (const std::string& input : inputs) make_prerequisite(input);
  }
  if (rule.keeps_depfile) depfile_text(rule.outputs, inputs);
}

bool BuildRules::is_file(const std::string& path) {
  const auto [known, is_new] = files_.try_emplace(path, false);
  std::error_code unknown;
  if (is_new) known->second = std::filesystem::is_regular_file(path, unknown);
  return known->second;
}

// The files that the rig, the settings and the words name, and those in compared folders, without
// the files that only a run would find.
std::vector<std::string> BuildRules::known_inputs(const BatchTask& task, const BuildRule& rule) {
  std::vector<std::string> files = rule.inputs;
  const auto add = [&](const std::string& file) {
    if (!has(files, file) && !has(rule.outputs, file) && is_file(file)) files.push_back(file);
  };
  if (task.rig != BatchTask::kNoRig && plan_.rigs()[task.rig].facts) {
    for (const std::string& file : plan_.rigs()[task.rig].facts->files) add(file);
  }
  for (const std::string& input : plan_.inputs(task)) {
    for (const std::string& file : files_of_input(input)) add(file);
    for (std::string& folder : folders_of_input(input)) {
      if (!has(files, folder)) files.push_back(std::move(folder));
    }
  }
  for (const std::string& word : rule.words) {
    if (word.starts_with(kDepfile)) continue;
    for (const std::string& file : possible_files(word)) add(file);
  }
  return files;
}

BuildRule BuildRules::of(const BatchTask& task) {
  BuildRule rule;
  const TaskName name = plan_.name(task);
  rule.name = name.job + (name.rig.empty() ? "" : " " + name.rig) +
              (name.clip.empty() ? "" : " " + name.clip);
  rule.words = plan_.words(task);
  rule.outputs = plan_.outputs(task);
  rule.inputs = argument_files(rule.words);
  const auto given = std::find_if(rule.words.begin(), rule.words.end(),
                                  [](const std::string& w) { return w.starts_with(kDepfile); });
  if (given != rule.words.end()) {
    rule.depfile = given->substr(kDepfile.size());
    rule.keeps_depfile = true;
    std::erase(rule.outputs, rule.depfile);
  } else if (writes_depfile(rule.words.front()) && !rule.outputs.empty()) {
    rule.depfile = rule.outputs.front() + ".d";
  }
  if (rule.depfile.empty()) {
    rule.inputs = known_inputs(task, rule);
    return rule;
  }
  std::vector<std::string> inputs = known_inputs(task, rule);
  require_names(rule, inputs);
  if (tool_ == BuildTool::kMake || is_read_by_ninja(rule, inputs)) {
    if (!rule.keeps_depfile) rule.words.push_back(std::string(kDepfile) + rule.depfile);
  } else {
    rule.depfile.clear();
    rule.inputs = std::move(inputs);
  }
  return rule;
}

}  // namespace skinbake::cli
