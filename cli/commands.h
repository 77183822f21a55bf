// One setup function per subcommand: it adds the subcommand and its options to the app.

#pragma once

#include <CLI/CLI.hpp>

namespace skinbake::cli {

void setup_inspect(CLI::App& app);
void setup_bake(CLI::App& app);
void setup_compare(CLI::App& app);
void setup_diff(CLI::App& app);
void setup_convert(CLI::App& app);
void setup_list(CLI::App& app);
void setup_report(CLI::App& app);

// The exit code of a run that went through: 0, or 1 when a threshold was exceeded.
extern int exit_code;

}  // namespace skinbake::cli
