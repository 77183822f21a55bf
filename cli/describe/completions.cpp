#include "describe/completions.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

#include "terminal/format.h"

namespace skinbake::cli {

namespace {

using Commands = std::span<const DescribedCommand>;

std::vector<std::string> parts_of(const std::string& name) {
  std::istringstream stream(name);
  return {std::istream_iterator<std::string>(stream), {}};
}

// The last words of the commands of a command: "merge" of "batch". Of the program: all commands.
std::vector<std::string> commands_of(const DescribedCommand& parent, Commands commands) {
  std::vector<std::string> found;
  const std::vector<std::string> before = parts_of(parent.name);
  for (const DescribedCommand& command : commands) {
    std::vector<std::string> words = parts_of(command.name);
    if (words.size() != before.size() + 1) continue;
    if (std::equal(before.begin(), before.end(), words.begin())) found.push_back(words.back());
  }
  return found;
}

// The names of commands of other commands, "batch merge".
std::vector<std::string> nested_names(Commands commands) {
  std::vector<std::string> names;
  for (const DescribedCommand& command : commands) {
    if (command.name.find(' ') != std::string::npos) names.push_back(command.name);
  }
  return names;
}

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

// "'bake,--method' | 'bake,-m'": the command and the word before the one that is completed.
std::string bash_pattern(const DescribedCommand& command, const DescribedOption& option) {
  std::string text = in_quotes(command.name + "," + option.long_name);
  if (!option.short_name.empty()) text += " | " + in_quotes(command.name + "," + option.short_name);
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

std::string bash_options(const DescribedCommand& command, Commands commands) {
  std::vector<std::string> words, first = commands_of(command, commands);
  for (const DescribedOption& option : command.options) words.push_back(option.long_name);
  const bool is_or_file = !first.empty() && !command.arguments.empty();
  if (command.arguments.size() == 1 && first.empty()) first = command.arguments.front().choices;
  std::string text =
      fmt::format("      {})\n        options='{}'\n", in_quotes(command.name), joined(words));
  if (!first.empty()) text += fmt::format("        words='{}'\n", joined(first));
  if (is_or_file) text += "        files=yes\n";
  return text + "        ;;\n";
}

// The cases in which two words are the name of a command.
std::string bash_nested(Commands commands) {
  std::string text;
  for (const std::string& name : nested_names(commands)) {
    text += fmt::format("      {}) command={} ;;\n", in_quotes(name), in_quotes(name));
  }
  return text;
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

std::string zsh_arguments(const DescribedCommand& command, Commands commands) {
  std::string text = "      " + in_quotes(command.name) + ")\n        _arguments -s \\\n";
  for (const DescribedOption& option : command.options) text += zsh_option(option);
  const std::vector<std::string> own = commands_of(command, commands);
  for (const DescribedOption& argument : command.arguments) {
    const std::string action =
        own.empty() ? zsh_action(argument)
                    : "_alternative \"commands:command:(" + joined(own) + ")\" files:file:_files";
    text +=
        "        " +
        in_quotes((argument.repeats ? "*:" : ":") + zsh_text(argument.long_name) + ":" + action) +
        " \\\n";
  }
  return text + "        && result=0 ;;\n";
}

// Makes one word of the two that are the name of a command.
std::string zsh_nested(Commands commands) {
  std::string text;
  for (const std::string& name : nested_names(commands)) {
    text += fmt::format(
        "    if [[ $CURRENT -gt 2 && \"$words[1] $words[2]\" == {0} ]]; then\n"
        "      words=({0} \"${{(@)words[3,-1]}}\"); (( CURRENT -= 1 ))\n"
        "    fi\n",
        in_quotes(name));
  }
  return text;
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

// "__fish_seen_subcommand_from batch; and __fish_seen_subcommand_from merge". A word may name a
// command and a command of another one: each excludes the line of the other.
std::string fish_condition(const DescribedCommand& command, Commands commands) {
  if (command.name.empty()) return "not __fish_seen_subcommand_from $commands";
  std::string text;
  for (const std::string& word : parts_of(command.name)) {
    text += (text.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  }
  for (const DescribedCommand& other : commands) {
    const std::vector<std::string> words = parts_of(other.name);
    if (words.size() != 2 || other.name == command.name) continue;
    if (words[0] == command.name) text += "; and not __fish_seen_subcommand_from " + words[1];
    if (words[1] == command.name) text += "; and not __fish_seen_subcommand_from " + words[0];
  }
  return text;
}

std::string fish_option(const std::string& condition, const DescribedOption& option) {
  std::string text = "complete -c skinbake -n \"" + condition + "\"";
  if (!option.short_name.empty()) text += " -s " + option.short_name.substr(1);
  text += " -l " + option.long_name.substr(2);
  if (!option.value.empty()) text += option.takes_file ? " -r -F" : " -x";
  if (!option.choices.empty()) text += " -a " + fish_quoted(joined(option.choices));
  return text + " -d " + fish_quoted(short_help(option.help)) + "\n";
}

std::string fish_arguments(const std::string& condition, const DescribedCommand& command) {
  std::string text;
  for (const DescribedOption& argument : command.arguments) {
    if (argument.choices.empty()) continue;
    text += fmt::format("complete -c skinbake -f -n \"{}\" -a {}\n", condition,
                        fish_quoted(joined(argument.choices)));
  }
  return text;
}

// A command, where the word for it is expected.
std::string fish_command(const DescribedCommand& command, Commands commands) {
  const std::size_t divider = command.name.rfind(' ');
  DescribedCommand parent;
  if (divider != std::string::npos) parent.name = command.name.substr(0, divider);
  const bool is_top = parent.name.empty();
  return fmt::format("complete -c skinbake{} -n \"{}\" -a {} -d {}\n", is_top ? " -f" : "",
                     fish_condition(parent, commands), parts_of(command.name).back(),
                     fish_quoted(short_help(command.help)));
}

}  // namespace

std::string bash_completion(Commands commands) {
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
      "  local last='' files=no\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    if [[ -n $command ]]; then\n"
      "      case \"$command $word\" in\n" +
      bash_nested(commands) +
      "      esac\n"
      "      break\n"
      "    fi\n"
      "    if [[ $word != -* && $last != --config ]]; then command=$word; fi\n"
      "    last=$word\n"
      "  done\n"
      "  case $command,$before in\n";
  for (const DescribedCommand& command : commands) text += bash_values(command);
  text +=
      "  esac\n"
      "  if [[ -z $words ]]; then\n"
      "    case $command in\n";
  for (const DescribedCommand& command : commands) text += bash_options(command, commands);
  text +=
      "    esac\n"
      "    if [[ $current == -* ]]; then words=$options files=no; fi\n"
      "  fi\n"
      "  if [[ $joins == yes && $current == *,* ]]; then prefix=${current%,*},; fi\n"
      "  mapfile -t COMPREPLY < <(compgen -P \"$prefix\" -W \"$words\" -- "
      "\"${current#\"$prefix\"}\")\n"
      "  if [[ $files == yes ]]; then\n"
      "    compopt -o filenames\n"
      "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n"
      "  fi\n"
      "}\n"
      "complete -o bashdefault -o default -F _skinbake skinbake\n";
  return text;
}

std::string zsh_completion(Commands commands) {
  std::string text =
      "#compdef skinbake\n"
      "# Completion of skinbake in zsh, made from its options when it was built.\n"
      "_skinbake() {\n"
      "  local curcontext=$curcontext state state_descr line result=1\n"
      "  typeset -A opt_args\n"
      "  local -a commands=(\n";
  for (const DescribedCommand& command : commands) {
    if (parts_of(command.name).size() != 1) continue;
    text += "    " + in_quotes(command.name + ":" + zsh_text(short_help(command.help))) + "\n";
  }
  text += "  )\n  _arguments -C \\\n";
  for (const DescribedOption& option : commands.front().options) text += zsh_option(option);
  text +=
      "        '1: :->command' '*:: :->arguments' && result=0\n"
      "  case $state in\n"
      "  command) _describe -t commands command commands && result=0 ;;\n"
      "  arguments)\n" +
      zsh_nested(commands) +
      "    curcontext=\"${curcontext%:*:*}:skinbake-$words[1]:\"\n"
      "    case $words[1] in\n";
  for (const DescribedCommand& command : commands) {
    if (!command.name.empty()) text += zsh_arguments(command, commands);
  }
  text +=
      "    esac ;;\n"
      "  esac\n"
      "  return result\n"
      "}\n"
      "_skinbake \"$@\"\n";
  return text;
}

std::string fish_completion(Commands commands) {
  std::string text =
      "# Completion of skinbake in fish, made from its options when it was built.\n"
      "set -l commands " +
      joined(commands_of({}, commands)) + "\n";
  for (const DescribedCommand& command : commands) {
    if (!command.name.empty()) text += fish_command(command, commands);
    const std::string condition = fish_condition(command, commands);
    for (const DescribedOption& option : command.options) text += fish_option(condition, option);
    text += fish_arguments(condition, command);
  }
  return text;
}

}  // namespace skinbake::cli
