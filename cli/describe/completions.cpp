#include "describe/completions.h"

#include <string_view>

#include "terminal/format.h"

namespace skinbake::cli {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The text up to its first ';', ':' or line end: a completion shows it beside the option.
std::string short_help(const std::string& help) {
  return help.substr(0, help.find_first_of(";:\n"));
}

// In single quotes of bash and zsh.
std::string in_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string{c};
  return quoted + "'";
}

// ---------------------------------------------------------------- bash

// "bake,--method | bake,-m": the command and the word before the one that is completed.
std::string bash_pattern(const DescribedCommand& command, const DescribedOption& option) {
  std::string text = command.name + "," + option.long_name;
  if (!option.short_name.empty()) text += " | " + command.name + "," + option.short_name;
  return text;
}

std::string bash_values(const DescribedCommand& command) {
  std::string text;
  for (const DescribedOption& option : command.options) {
    if (option.value.empty()) continue;
    text += "    " + bash_pattern(command, option) + ")";
    if (!option.choices.empty()) {
      text += fmt::format(" words='{}'{} ;;\n", joined(option.choices),
                          option.joins ? " joins=yes" : "");
    } else {
      text +=
          option.takes_file ? " return ;;\n" : " compopt +o default +o bashdefault; return ;;\n";
    }
  }
  return text;
}

std::string bash_options(const DescribedCommand& command) {
  std::vector<std::string> words, first;
  for (const DescribedOption& option : command.options) words.push_back(option.long_name);
  if (command.arguments.size() == 1) first = command.arguments.front().choices;
  std::string text = fmt::format("      {})\n        options='{}'\n",
                                 command.name.empty() ? "''" : command.name, joined(words));
  if (!first.empty()) text += fmt::format("        words='{}'\n", joined(first));
  return text + "        ;;\n";
}

// ---------------------------------------------------------------- zsh

// Brackets and colons have a meaning in the specifications of _arguments.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_action(const DescribedOption& option) {
  if (option.joins && !option.choices.empty()) {
    return "_sequence compadd - " + joined(option.choices);
  }
  if (!option.choices.empty()) return "(" + joined(option.choices) + ")";
  return option.takes_file ? "_files" : " ";
}

std::string zsh_option(const DescribedOption& option) {
  const std::string value =
      option.value.empty() ? "" : ":" + zsh_text(option.value) + ":" + zsh_action(option);
  const std::string help = "[" + zsh_text(short_help(option.help)) + "]";
  const std::string equals = option.value.empty() ? "" : "=";
  const bool has_two = !option.short_name.empty();
  std::string spec = option.repeats ? "'*'" : "";
  if (has_two && !option.repeats) {
    spec = in_quotes("(" + option.short_name + " " + option.long_name + ")");
  }
  spec += has_two ? "{" + option.short_name + "," + option.long_name + equals + "}"
                  : option.long_name + equals;
  return "        " + spec + in_quotes(help + value) + " \\\n";
}

std::string zsh_arguments(const DescribedCommand& command) {
  std::string text = "      " + command.name + ")\n        _arguments -s \\\n";
  for (const DescribedOption& option : command.options) text += zsh_option(option);
  for (const DescribedOption& argument : command.arguments) {
    text += "        " +
            in_quotes((argument.repeats ? "*:" : ":") + zsh_text(argument.long_name) + ":" +
                      zsh_action(argument)) +
            " \\\n";
  }
  return text + "        && result=0 ;;\n";
}

// ---------------------------------------------------------------- fish

std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string fish_option(const DescribedCommand& command, const DescribedOption& option) {
  const std::string condition = command.name.empty()
                                    ? "not __fish_seen_subcommand_from $commands"
                                    : "__fish_seen_subcommand_from " + command.name;
  std::string text = "complete -c skinbake -n \"" + condition + "\"";
  if (!option.short_name.empty()) text += " -s " + option.short_name.substr(1);
  text += " -l " + option.long_name.substr(2);
  if (!option.value.empty()) text += option.takes_file ? " -r -F" : " -x";
  if (!option.choices.empty()) text += " -a " + fish_quoted(joined(option.choices));
  return text + " -d " + fish_quoted(short_help(option.help)) + "\n";
}

std::string fish_arguments(const DescribedCommand& command) {
  std::string text;
  for (const DescribedOption& argument : command.arguments) {
    if (argument.choices.empty()) continue;
    text += fmt::format("complete -c skinbake -f -n \"__fish_seen_subcommand_from {}\" -a {}\n",
                        command.name, fish_quoted(joined(argument.choices)));
  }
  return text;
}

std::vector<std::string> names_of(std::span<const DescribedCommand> commands) {
  std::vector<std::string> names;
  for (const DescribedCommand& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  return names;
}

}  // namespace

std::string bash_completion(std::span<const DescribedCommand> commands) {
  std::string text =
      "# Completion of skinbake in bash, made from its options when it was built.\n"
      "_skinbake() {\n"
      "  COMPREPLY=()\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command='' words='' options='' joins=no word prefix=''\n"
      "  # Bash divides --option=value into three words.\n"
      "  if [[ $current == = ]]; then current=''\n"
      "  elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  local last=''\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    if [[ $word != -* && $last != --config ]]; then command=$word; break; fi\n"
      "    last=$word\n"
      "  done\n"
      "  case $command,$before in\n";
  for (const DescribedCommand& command : commands) text += bash_values(command);
  text +=
      "  esac\n"
      "  if [[ -z $words ]]; then\n"
      "    case $command in\n";
  for (const DescribedCommand& command : commands) text += bash_options(command);
  text +=
      "    esac\n"
      "    if [[ -z $command ]]; then words='" +
      joined(names_of(commands)) +
      "'; fi\n"
      "    if [[ $current == -* ]]; then words=$options; fi\n"
      "  fi\n"
      "  if [[ $joins == yes && $current == *,* ]]; then prefix=${current%,*},; fi\n"
      "  mapfile -t COMPREPLY < <(compgen -P \"$prefix\" -W \"$words\" -- "
      "\"${current#\"$prefix\"}\")\n"
      "}\n"
      "complete -o bashdefault -o default -F _skinbake skinbake\n";
  return text;
}

std::string zsh_completion(std::span<const DescribedCommand> commands) {
  std::string text =
      "#compdef skinbake\n"
      "# Completion of skinbake in zsh, made from its options when it was built.\n"
      "_skinbake() {\n"
      "  local curcontext=$curcontext state state_descr line result=1\n"
      "  typeset -A opt_args\n"
      "  local -a commands=(\n";
  for (const DescribedCommand& command : commands) {
    if (command.name.empty()) continue;
    text += "    " + in_quotes(command.name + ":" + zsh_text(short_help(command.help))) + "\n";
  }
  text += "  )\n  _arguments -C \\\n";
  for (const DescribedOption& option : commands.front().options) text += zsh_option(option);
  text +=
      "        '1: :->command' '*:: :->arguments' && result=0\n"
      "  case $state in\n"
      "  command) _describe -t commands command commands && result=0 ;;\n"
      "  arguments)\n"
      "    curcontext=\"${curcontext%:*:*}:skinbake-$words[1]:\"\n"
      "    case $words[1] in\n";
  for (const DescribedCommand& command : commands) {
    if (!command.name.empty()) text += zsh_arguments(command);
  }
  text +=
      "    esac ;;\n"
      "  esac\n"
      "  return result\n"
      "}\n"
      "_skinbake \"$@\"\n";
  return text;
}

std::string fish_completion(std::span<const DescribedCommand> commands) {
  std::string text =
      "# Completion of skinbake in fish, made from its options when it was built.\n"
      "set -l commands " +
      joined(names_of(commands)) + "\n";
  for (const DescribedCommand& command : commands) {
    if (!command.name.empty()) {
      text += "complete -c skinbake -f -n \"not __fish_seen_subcommand_from $commands\" -a " +
              command.name + " -d " + fish_quoted(short_help(command.help)) + "\n";
    }
    for (const DescribedOption& option : command.options) text += fish_option(command, option);
    text += fish_arguments(command);
  }
  return text;
}

}  // namespace skinbake::cli
