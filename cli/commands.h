// The table of the commands, and the functions that one command calls of another: no command
// includes another.

#pragma once

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace skinbake::cli {

// A setup function for each command: adds the command and its options to the app. Parsing the
// command line then runs the command and stores its exit code: 0, or 1 if a threshold was
// exceeded. Parsing throws CLI::Error, UsageError and Error.
void setup_inspect(CLI::App& app, int& exit_code);
void setup_bake(CLI::App& app, int& exit_code);
void setup_compare(CLI::App& app, int& exit_code);
void setup_diff(CLI::App& app, int& exit_code);
void setup_convert(CLI::App& app, int& exit_code);
void setup_fit(CLI::App& app, int& exit_code);
void setup_retarget(CLI::App& app, int& exit_code);
void setup_golden(CLI::App& app, int& exit_code);
void setup_batch(CLI::App& app, int& exit_code);
void setup_list(CLI::App& app, int& exit_code);
void setup_report(CLI::App& app, int& exit_code);

struct CommandDefinition {
  const char* name;
  void (*setup)(CLI::App& app, int& exit_code);
};

// All commands, in the order of the help.
std::span<const CommandDefinition> command_definitions();

// Adds a command to the program, with its options. Parsing the
// command line then runs it and stores its exit code.
CLI::App& add_command(CLI::App& app, const CommandDefinition& definition, int& exit_code);

// Runs a command as a task of a batch: the thread must have a TaskContext, which gets the messages.
// `words`: begin with a command.
int run_task_words(const std::vector<std::string>& words);

// ---- The manifests of `batch`, which `diff` and `golden` read too.

struct PlannedOutput {
  std::string path;  // as its job names it: relative to the folder of the manifest, or absolute
  std::string rig;   // the path of the task's rig; empty: the task does not have one
};

// The files that the tasks of a manifest write. Loads its rigs. Throws Error. Not for tasks of a
// batch, because it changes the folder of the process meanwhile.
std::vector<PlannedOutput> planned_outputs(const std::string& manifest);

// Does the tasks of a manifest that are not up to date, as `skinbake batch` does, without its
// table. Returns its exit code. Throws as planned_outputs.
int bring_up_to_date(const std::string& manifest);

}  // namespace skinbake::cli
