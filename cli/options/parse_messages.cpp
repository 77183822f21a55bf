#include "options/parse_messages.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/nearest_word.h"

namespace skinbake::cli {

namespace {

// "method": the long names of every option.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

// "A B": the positional arguments.
std::string positionals_of(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) names += (names.empty() ? "" : " ") + option->get_name(true);
  }
  return names;
}

std::string unknown_option(const CLI::App& command, const std::string& typed) {
  const std::string name = typed.substr(0, typed.find('='));
  const std::string nearest =
      name.starts_with("--") ? nearest_word(name.substr(2), option_names(command)) : std::string();
  if (name == "--" + nearest) return "write " + name + " after the command";
  return "no option '" + name + "'" +
         (nearest.empty() ? "" : "; did you mean '--" + nearest + "'?");
}

// The message for the words of the command line that no option or argument takes. Empty: none.
std::string unused_words(const CLI::App& command, const std::vector<std::string>& words) {
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && word.starts_with('-') && word != "--";
  });
  if (option != words.end()) return unknown_option(command, *option);
  const auto value = std::find_if(words.begin(), words.end(),
                                  [](const std::string& word) { return word != "--"; });
  if (value == words.end()) return "";
  return "unexpected argument '" + *value + "'; " + full_name(command) + " takes only " +
         positionals_of(command) + "; quote a value that contains spaces";
}

// The option that a message of CLI11 names: "--fps: …", "Could not convert: --fps = …". Null: none.
const CLI::Option* named_option(const CLI::App& command, std::string message) {
  const std::string conversion = "Could not convert: ";
  if (message.starts_with(conversion)) message.erase(0, conversion.size());
  const bool is_bare = message.ends_with("disallowed flag override");  // "json was given a …"
  return command.get_option_no_throw((is_bare ? "--" : "") +
                                     message.substr(0, message.find_first_of(": ")));
}

// "--method NAME"
std::string usage_of(const CLI::Option& option) {
  return option.get_name() + " " + option.get_type_name();
}

std::string missing(const CLI::App& command, const CLI::Option& option) {
  if (option.get_positional()) {
    return option.get_name(true) + " is missing; write skinbake " + full_name(command) + " " +
           positionals_of(command);
  }
  return option.get_name() + " is missing; add " + usage_of(option);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool is_flag(const CLI::Option& option) {
  return option.get_expected_min() == 0;
}

std::string wrong_number_of_values(const CLI::Option& option) {
  const std::size_t count = option.results().size();
  if (count < 2) return option.get_name() + ": the value is missing; write " + usage_of(option);
  return option.get_name() + ": given " + std::to_string(count) + " times; give it once";
}

std::string wrong_value(const CLI::Option& option) {
  const std::vector<std::string>& values = option.results();
  return option.get_name() + ": '" + (values.empty() ? "" : values.front()) +
         "' is not a number; write " + usage_of(option);
}

}  // namespace

std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  const bool is_nested = parent != nullptr && parent->get_parent() != nullptr;
  return (is_nested ? full_name(*parent) + " " : "") + command.get_name();
}

std::string no_command(const CLI::App& app, const std::string& typed) {
  const std::vector<std::string> names = command_names(app);
  const std::string nearest = did_you_mean(typed, names);
  return "no command '" + typed + "'" +
         (nearest.empty() ? "; there are: " + listed(names) : nearest);
}

void refuse_values_of_flags(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_expected_max() == 0) option->disable_flag_override();
    }
    refuse_values_of_flags(*command);
  }
}

std::string parse_message(const CLI::App& command, const std::vector<std::string>& unused,
                          const CLI::ParseError& error) {
  const auto is = [&](CLI::ExitCodes kind) {
    return error.get_exit_code() == static_cast<int>(kind);
  };
  const bool is_required = is(CLI::ExitCodes::RequiredError);
  if (is_required || is(CLI::ExitCodes::ExtrasError)) {
    // A mistyped option explains a missing argument too.
    const std::string message = unused_words(command, unused);
    if (!message.empty()) return message;
  }
  const CLI::Option* const option = named_option(command, error.what());
  if (option == nullptr && is_required) {
    return "no command is given; there are: " + listed(command_names(command));
  }
  if (option == nullptr) return error.what();
  if (is_required) return missing(command, *option);
  const bool is_conversion = is(CLI::ExitCodes::ConversionError);
  const bool is_mismatch = is(CLI::ExitCodes::ArgumentMismatch);
  if ((is_conversion || is_mismatch) && is_flag(*option)) {
    return option->get_name() + ": does not take a value; write " + option->get_name() + " alone";
  }
  if (is_mismatch) return wrong_number_of_values(*option);
  if (is_conversion) return wrong_value(*option);
  return error.what();
}

}  // namespace skinbake::cli
