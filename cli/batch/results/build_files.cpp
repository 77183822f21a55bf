#include "batch/results/build_files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "batch/results/build_rules.h"
#include "batch/results/shell_words.h"
#include "outputs/depfile.h"

namespace skinbake::cli {

namespace {

// The words after the program's name, for a shell.
std::string line_of(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

void require_no_control(const std::string& text) {
  const bool has_control = std::any_of(text.begin(), text.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (!has_control) return;
  throw Error(ErrorKind::kOutput, "DEPFILE_NAME",
              "a rule cannot contain a name with a control character; rename the file or the clip",
              {text, ""});
}

// ---- Ninja

std::string ninja_value(const std::string& text) {
  require_no_control(text);
  std::string escaped;
  for (const char c : text) escaped += c == '$' ? "$$" : std::string(1, c);
  return escaped;
}

std::string ninja_path(const std::string& path) {
  if (path.find('|') != std::string::npos) {
    throw Error(ErrorKind::kOutput, "DEPFILE_NAME",
                "Ninja cannot read a name with '|'; rename the file", {path, ""});
  }
  std::string escaped;
  for (const char c : ninja_value(path)) {
    if (c == ' ' || c == ':') escaped += '$';
    escaped += c;
  }
  return escaped;
}

std::string ninja_paths(std::span<const std::string> paths) {
  std::string text;
  for (const std::string& path : paths) text += " " + ninja_path(path);
  return text;
}

std::string ninja_rule(const BuildRule& rule, std::uint64_t number) {
  const std::vector<std::string> outputs =
      rule.outputs.empty() ? std::vector<std::string>{"task-" + std::to_string(number + 1)}
                           : rule.outputs;
  std::string text = "build" + ninja_paths(outputs) + ": " +
                     (rule.depfile.empty() ? "task"
                      : rule.keeps_depfile ? "task_keeping_depfile"
                                           : "task_with_depfile") +
                     ninja_paths(rule.inputs) + " | $skinbake\n";
  text += "  words = " + ninja_value(line_of(rule.words)) + "\n";
  text += "  name = " + ninja_value(rule.name) + "\n";
  if (!rule.depfile.empty()) text += "  depfile = " + ninja_value(rule.depfile) + "\n";
  return text;
}

// ---- Make

std::string make_value(const std::string& text) {
  return ninja_value(text);  // '$' is the only special character of a recipe
}

std::string make_rule(const BuildRule& rule, std::uint64_t number, std::string& all) {
  std::string targets, prerequisites;
  std::set<std::string> folders;
  for (const std::string& output : rule.outputs) {
    targets += (targets.empty() ? "" : " ") + make_target(output);
    prerequisites += " " + make_prerequisite(output);
    const std::string folder = std::filesystem::path(output).parent_path().string();
    if (!folder.empty()) folders.insert(folder);
  }
  std::string text;
  if (targets.empty()) {
    targets = "task-" + std::to_string(number + 1);
    prerequisites = " " + targets;
    text += ".PHONY: " + targets + "\n";
  }
  all += "all:" + prerequisites + "\n";
  // &: the command writes all targets at once (GNU Make 4.3).
  text += targets + (rule.outputs.size() > 1 ? " &:" : ":");
  for (const std::string& input : rule.inputs) text += " " + make_prerequisite(input);
  text += " $(SKINBAKE)\n";
  if (!folders.empty()) {
    text += "\t@mkdir -p";
    for (const std::string& folder : folders) text += " " + make_value(shell_word(folder));
    text += "\n";
  }
  text += "\t$(SKINBAKE) " + make_value(line_of(rule.words)) + " $(FLAGS)\n";
  if (!rule.depfile.empty()) text += "-include " + make_prerequisite(rule.depfile) + "\n";
  return text;
}

// The prerequisites of the makefile itself. A missing one has an empty rule, by which Make would
// write the makefile again for ever; so it counts once it is there.
std::string makefile_prerequisites(const std::vector<std::string>& inputs) {
  std::string text;
  for (const std::string& input : inputs) {
    std::error_code unknown;
    const bool exists = std::filesystem::exists(input, unknown);
    const bool is_word = input.find_first_of("(),") == std::string::npos;  // of a function's call
    const std::string name = make_prerequisite(input);
    if (exists) text += " " + name;
    if (!exists && is_word) text += " $(wildcard " + name + ")";
  }
  return text;
}

// Empty rules, by which Make runs a task whose input is missing, and skinbake reports that.
std::string empty_rules(const std::set<std::string>& inputs) {
  std::string text;
  for (const std::string& input : inputs) {
    if (make_takes_as_file(input)) text += make_target(input) + ":\n";
  }
  return text;
}

}  // namespace

std::string ninja_text(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                       const BuildFile& file) {
  // --if-changed: an output with equal bytes keeps its time, and restat then spares what depends
  // on it.
  const std::string command =
      "  command = $skinbake $words --if-changed $flags\n"
      "  description = $name\n"
      "  restat = 1\n";
  std::string text =
      "# Written by skinbake batch. Run Ninja in the folder of the manifest.\n"
      "ninja_required_version = 1.10\n"
      "skinbake = " +
      ninja_value(file.program) +
      "\n"
      "flags = --quiet --threads=1\n"
      "rule task\n" +
      command + "rule task_with_depfile\n" + command +
      "  depfile = $depfile\n  deps = gcc\n"
      "rule task_keeping_depfile\n" +
      command + "  depfile = $depfile\n";
  if (!file.regenerate.empty()) {
    text += "rule write_this_file\n  command = $skinbake " + ninja_value(line_of(file.regenerate)) +
            "\n  generator = 1\n  restat = 1\n" + "build " + ninja_path(file.path) +
            ": write_this_file" + ninja_paths(file.inputs) + "\n";
  }
  BuildRules rules(plan, BuildTool::kNinja);
  for (const std::uint64_t t : tasks) text += ninja_rule(rules.of(plan.tasks()[t]), t);
  return text;
}

std::string make_text(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                      const BuildFile& file) {
  BuildRules tasks_as_rules(plan, BuildTool::kMake);
  std::string all, rules;
  std::set<std::string> inputs;
  for (const std::uint64_t t : tasks) {
    const BuildRule rule = tasks_as_rules.of(plan.tasks()[t]);
    inputs.insert(rule.inputs.begin(), rule.inputs.end());
    rules += make_rule(rule, t, all);
  }
  std::string text =
      "# Written by skinbake batch, for GNU Make. Run it in the folder of the manifest.\n"
      "SKINBAKE := " +
      make_value(file.program) +
      "\n"
      "FLAGS := --quiet --threads=1\n"
      "# A task that fails leaves no output that a later run would take for a good one.\n"
      ".DELETE_ON_ERROR:\n"
      ".PHONY: all\n" +
      all;
  if (!file.regenerate.empty()) {
    text += make_target(file.path) + ":" + makefile_prerequisites(file.inputs);
    text += "\n\t$(SKINBAKE) " + make_value(line_of(file.regenerate)) + "\n";
  }
  return text + rules + empty_rules(inputs);
}

}  // namespace skinbake::cli
