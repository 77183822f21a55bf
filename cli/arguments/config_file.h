// Options from a file: --config FILE, in the subset of TOML that CLI11 reads.
//
//   method = "dqs"                # the long name of an option
//   strict = true                 # a flag
//   output = ["a.pc2", "b.npy"]   # an option that may be repeated
//   [compare]                     # options of this command only
//   methods = "lbs,dqs"

#pragma once

namespace CLI {
class App;
}

namespace skinbake::cli {

// Adds --config to the program, before its commands. Parsing the command line reads the file and
// sets the options of the chosen command that the command line leaves unset. Throws Error (kInput,
// CONFIG_INVALID): the file cannot be read or is no such TOML, or a key is no option of the
// command, or its value is refused.
void add_config_option(CLI::App& app);

// Adds --config to a command of the program, and to its own commands.
void add_config_option(CLI::App& app, CLI::App& command);

}  // namespace skinbake::cli
