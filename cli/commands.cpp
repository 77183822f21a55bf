#include "commands.h"

#include <CLI/CLI.hpp>

namespace skinbake::cli {

namespace {

constexpr CommandDefinition kCommands[] = {
    {"inspect", setup_inspect}, {"bake", setup_bake},         {"compare", setup_compare},
    {"diff", setup_diff},       {"report", setup_report},     {"convert", setup_convert},
    {"fit", setup_fit},         {"retarget", setup_retarget}, {"batch", setup_batch},
    {"golden", setup_golden},   {"list", setup_list}};

}  // namespace

std::span<const CommandDefinition> command_definitions() {
  return kCommands;
}

CLI::App& add_command(CLI::App& app, const CommandDefinition& definition, int& exit_code) {
  definition.setup(app, exit_code);
  CLI::App& command = *app.get_subcommand(definition.name);
  return command;
}

}  // namespace skinbake::cli
