// The messages for a command line that CLI11 refuses, in our words: with cause and remedy.

#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace skinbake::cli {

// `command`: the chosen command, or the program if there is none. `unused`: the words that no
// option or argument takes, in the order of the command line.
std::string parse_message(const CLI::App& command, const std::vector<std::string>& unused,
                          const CLI::ParseError& error);

}  // namespace skinbake::cli
