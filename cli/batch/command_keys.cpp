#include "batch/command_keys.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "command_line.h"

namespace skinbake::cli {

namespace {

constexpr std::string_view kCommands[] = {"bake", "compare", "diff", "fit"};

// Options that concern a terminal, or the process and not the task.
constexpr std::string_view kOmitted[] = {"help",  "json",     "quiet",   "verbose",
                                         "color", "progress", "threads", "max-memory"};

bool is_omitted(const std::string& name) {
  return std::find(std::begin(kOmitted), std::end(kOmitted), name) != std::end(kOmitted);
}

// "FILE" of bake is the rig; the arguments A and B of diff are "a" and "b".
std::string argument_name(const CLI::Option& option) {
  const std::string name = CLI::detail::to_lower(option.get_name(true));
  return name == "file" ? "rig" : name;
}

ManifestKey key_of(const CLI::Option& option) {
  ManifestKey key;
  key.is_argument = option.get_positional();
  key.name = key.is_argument ? argument_name(option) : option.get_lnames().front();
  key.help = option.get_description();
  key.is_flag = option.get_expected_max() == 0;
  key.joins = option.get_delimiter() == ',' || option.get_type_name().ends_with(",…");
  key.may_repeat =
      !key.joins && (option.get_trigger_on_parse() ||
                     option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll);
  if (key.name == "rig") key.may_repeat = true;  // a job for each
  key.is_required = option.get_required();
  return key;
}

ManifestCommand keys_of(const CLI::App& command) {
  ManifestCommand keys{command.get_name(), {}};
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional() && option->get_lnames().empty()) continue;
    ManifestKey key = key_of(*option);
    if (!is_omitted(key.name)) keys.keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace

std::vector<ManifestCommand> manifest_commands() {
  std::vector<ManifestCommand> commands;
  for (const CommandDefinition& command : command_definitions()) {
    if (std::find(std::begin(kCommands), std::end(kCommands), command.name) ==
        std::end(kCommands)) {
      continue;
    }
    CLI::App app;
    int exit_code = 0;
    commands.push_back(keys_of(add_command(app, command, exit_code)));
  }
  return commands;
}

}  // namespace skinbake::cli
