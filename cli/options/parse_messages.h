// The messages for a command line that CLI11 refuses, in our words: with cause and remedy.

#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace skinbake::cli {

// "bake"; of a command of another one "batch merge".
std::string full_name(const CLI::App& command);

// `command`: the chosen command, or the program if there is none. `unused`: the words that no
// option or argument takes, in the order of the command line.
std::string parse_message(const CLI::App& command, const std::vector<std::string>& unused,
                          const CLI::ParseError& error);

// The message for a first word that is not a command.
std::string no_command(const CLI::App& app, const std::string& typed);

// Refuses --verify=3: CLI11 accepts any number as the value of a flag.
void refuse_values_of_flags(CLI::App& app);

}  // namespace skinbake::cli
