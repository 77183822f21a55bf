// The commands, and the way from a command line to a message and an exit code.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skinbake/error.h"

namespace CLI {
class App;
}

namespace skinbake::cli {

// Adds all commands, and the program's own options. With `only`, the name of a command, the others
// have no options: to define them takes longer than to parse a command line.
void add_program(CLI::App& app, int& exit_code, std::string_view only = {});

// Runs the words of a command line, without the program's name. Prints the message of an error.
// Returns the exit code. Throws std::bad_alloc.
int run_command_line(const std::vector<std::string>& words);

}  // namespace skinbake::cli
