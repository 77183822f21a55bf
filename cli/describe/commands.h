// The commands and their options as data, for documents that are made when the program is built.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

struct DescribedOption {
  std::string short_name;  // "-o"; empty: none
  std::string long_name;   // "--output"; of an argument "FILE"
  std::string value;       // "NAME"; empty: a flag
  std::string help;
  std::string initial;               // the default; empty: none
  std::string group;                 // a heading of the help
  std::vector<std::string> choices;  // the words that the value may be; empty: any value
  bool joins = false;                // the value is a list: "error,volume"
  bool repeats = false;
  bool takes_file = false;
  bool is_required = false;
};

struct DescribedCommand {
  std::string name;  // "bake", "batch merge"; empty: the program
  std::string help;
  std::vector<DescribedOption> arguments;  // without dashes, in order
  std::vector<DescribedOption> options;
  std::string footer;  // "Examples:\n  skinbake …"
};

// The program, then every command in the order of the help, each before its own commands.
std::vector<DescribedCommand> described_commands();

}  // namespace skinbake::cli
