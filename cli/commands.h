// A setup function for each subcommand: adds the subcommand and its options to the app. Parsing the
// command line then runs the subcommand and stores its exit code: 0, or 1 if a threshold was
// exceeded. Parsing throws CLI::Error, UsageError and Error.

#pragma once

namespace CLI {
class App;
}

namespace skinbake::cli {

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

}  // namespace skinbake::cli
