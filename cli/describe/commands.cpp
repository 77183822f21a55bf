#include "describe/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "command_line.h"
#include "skinbake/caches.h"
#include "skinbake/methods.h"
#include "skinbake/metrics.h"
#include "skinbake/modifiers.h"

namespace skinbake::cli {

namespace {

template <class Infos>
std::vector<std::string> ids_of(const Infos& infos) {
  std::vector<std::string> ids;
  for (const auto& info : infos) ids.emplace_back(info.id);
  return ids;
}

// "auto|always|never" as words. Empty: the text is another kind of value, such as "ID|FILE[#ID]".
std::vector<std::string> words_of(const std::string& value) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-|";
  if (value.find('|') == std::string::npos || value.find_first_not_of(kLetters) != value.npos) {
    return {};
  }
  return CLI::detail::split(value, '|');
}

// The words of a value whose help does not spell them out.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string name = option.get_single_name();
  if (option.get_positional()) {
    if (name != "TOPIC") return {};
    return {"methods", "formats", "metrics", "targets"};
  }
  if (name == "method" || name == "methods" || name == "reference") return ids_of(methods());
  if (name == "metrics") return ids_of(metrics());
  if (name == "profile") return ids_of(engine_profiles());
  const std::vector<std::string> words = words_of(option.get_type_name());
  if (!words.empty() || name != "format") return words;
  return ids_of(cache_formats());
}

bool takes_file(const CLI::Option& option, const DescribedOption& described) {
  if (!described.choices.empty()) return false;
  if (option.get_positional()) return true;
  constexpr std::string_view kFiles[] = {"FILE", "DIR", "PATH", "CACHE", "RIG", "OUTPUT"};
  return std::any_of(std::begin(kFiles), std::end(kFiles), [&](std::string_view word) {
    return described.value.find(word) != std::string::npos;
  });
}

DescribedOption described(const CLI::Option& option) {
  DescribedOption text;
  const bool is_argument = option.get_positional();
  text.long_name = is_argument ? option.get_name(true) : "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) text.short_name = "-" + option.get_snames().front();
  const bool is_flag = option.get_expected_max() == 0;
  if (!is_flag && !is_argument) text.value = option.get_type_name();
  if (!is_flag && !is_argument && text.value.empty()) text.value = "VALUE";
  text.help = option.get_description();
  text.initial = is_flag ? "" : option.get_default_str();
  text.group = option.get_group();
  text.choices = choices_of(option);
  text.joins = option.get_delimiter() == ',' || text.value.ends_with(",…");
  text.repeats = option.get_trigger_on_parse() ||
                 option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  text.takes_file = !is_flag && takes_file(option, text);
  text.is_required = option.get_required();
  return text;
}

DescribedCommand described(const CLI::App& app, const std::string& name) {
  DescribedCommand command;
  command.name = name;
  command.help = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional() && option->get_lnames().empty()) continue;
    (option->get_positional() ? command.arguments : command.options).push_back(described(*option));
  }
  return command;
}

void describe(const CLI::App& app, const std::string& name,
              std::vector<DescribedCommand>& commands) {
  commands.push_back(described(app, name));
  for (const CLI::App* command : app.get_subcommands({})) {
    describe(*command, (name.empty() ? "" : name + " ") + command->get_name(), commands);
  }
}

}  // namespace

std::vector<DescribedCommand> described_commands() {
  CLI::App app{"", "skinbake"};
  int exit_code = 0;
  add_program(app, exit_code);
  std::vector<DescribedCommand> commands;
  describe(app, "", commands);
  return commands;
}

}  // namespace skinbake::cli
