// The commands, and the way from a command line to a message and an exit code.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/error.h"

namespace CLI {
class App;
}

namespace skinbake::cli {

struct CommandDefinition {
  const char* name;
  void (*setup)(CLI::App& app, int& exit_code);  // commands.h
};

// All commands, in the order of the help.
std::span<const CommandDefinition> command_definitions();

// Adds a command to the program, with its options. Parsing the
// command line then runs it and stores its exit code.
CLI::App& add_command(CLI::App& app, const CommandDefinition& definition, int& exit_code);

// Adds all commands, and the program's own options. With `only`, the name of a command, the others
// have no options: to define them takes longer than to parse a command line.
void add_program(CLI::App& app, int& exit_code, std::string_view only = {});

// The exit code of an error. The numbers are documented in cli/README.md.
int exit_code_of(ErrorKind kind);

// Runs the words of a command line, without the program's name. Prints the message of an error.
// Returns the exit code. Throws std::bad_alloc.
int run_command_line(const std::vector<std::string>& words);

// The same as a task of a batch: the thread must have a TaskContext, which gets the messages.
// `words`: begin with a command.
int run_task_words(const std::vector<std::string>& words);

}  // namespace skinbake::cli
