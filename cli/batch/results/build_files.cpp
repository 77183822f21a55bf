#include "batch/results/build_files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "batch/results/shell_words.h"
#include "outputs/depfile.h"

namespace skinbake::cli {

namespace {

constexpr std::string_view kDepfile = "--depfile=";

// A task as a rule.
struct Rule {
  std::string name;
  std::vector<std::string> outputs, inputs, words;
  std::string depfile;         // empty: the command has none
  bool keeps_depfile = false;  // the manifest asks for it
};

bool writes_depfile(const std::string& command) {
  return command != "diff";
}

// The files that the words of a command name: its arguments.
std::vector<std::string> argument_files(std::span<const std::string> words) {
  std::vector<std::string> files;
  for (std::size_t i = 1; i < words.size() && !words[i].starts_with('-'); ++i) {
    files.push_back(words[i]);
  }
  return files;
}

Rule rule_of(const BatchPlan& plan, std::uint64_t number) {
  const BatchTask& task = plan.tasks()[number];
  Rule rule;
  const TaskName name = plan.name(task);
  rule.name = name.job + (name.rig.empty() ? "" : " " + name.rig) +
              (name.clip.empty() ? "" : " " + name.clip);
  rule.words = plan.words(task);
  rule.outputs = plan.outputs(task);
  rule.inputs = argument_files(rule.words);
  const auto given = std::find_if(rule.words.begin(), rule.words.end(),
                                  [](const std::string& w) { return w.starts_with(kDepfile); });
  if (given != rule.words.end()) {
    rule.depfile = given->substr(kDepfile.size());
    rule.keeps_depfile = true;
    std::erase(rule.outputs, rule.depfile);
  } else if (writes_depfile(rule.words.front()) && !rule.outputs.empty()) {
    rule.depfile = rule.outputs.front() + ".d";
    rule.words.push_back(std::string(kDepfile) + rule.depfile);
  }
  return rule;
}

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

std::string ninja_rule(const Rule& rule, std::uint64_t number) {
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

std::string make_rule(const Rule& rule, std::uint64_t number, std::string& all) {
  std::string targets;
  std::set<std::string> folders;
  for (const std::string& output : rule.outputs) {
    targets += (targets.empty() ? "" : " ") + make_name(output, true);
    const std::string folder = std::filesystem::path(output).parent_path().string();
    if (!folder.empty()) folders.insert(folder);
  }
  std::string text;
  if (targets.empty()) {
    targets = "task-" + std::to_string(number + 1);
    text += ".PHONY: " + targets + "\n";
  }
  all += "all: " + targets + "\n";
  // &: the command writes all targets at once (GNU Make 4.3).
  text += targets + (rule.outputs.size() > 1 ? " &:" : ":");
  for (const std::string& input : rule.inputs) text += " " + make_name(input, false);
  text += " $(SKINBAKE)\n";
  if (!folders.empty()) {
    text += "\t@mkdir -p";
    for (const std::string& folder : folders) text += " " + make_value(shell_word(folder));
    text += "\n";
  }
  text += "\t$(SKINBAKE) " + make_value(line_of(rule.words)) + " $(FLAGS)\n";
  if (!rule.depfile.empty()) text += "-include " + make_name(rule.depfile, false) + "\n";
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
  for (const std::uint64_t t : tasks) text += ninja_rule(rule_of(plan, t), t);
  return text;
}

std::string make_text(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                      const BuildFile& file) {
  std::string all, rules;
  for (const std::uint64_t t : tasks) rules += make_rule(rule_of(plan, t), t, all);
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
    text += make_name(file.path, true) + ":";
    for (const std::string& input : file.inputs) text += " " + make_name(input, false);
    text += "\n\t$(SKINBAKE) " + make_value(line_of(file.regenerate)) + "\n";
  }
  return text + rules;
}

}  // namespace skinbake::cli
