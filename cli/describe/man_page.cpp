#include "describe/man_page.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <utility>

#include "skinbake/version.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// The code point that begins with the text's first byte, and its length in bytes. The texts of the
// program are UTF-8.
std::pair<std::uint32_t, std::size_t> first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  std::uint32_t code = byte(0) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length && i < text.size(); ++i) code = code << 6 | (byte(i) & 0x3Fu);
  return {code, length};
}

// Text that groff prints as it stands. Pages are ASCII, because groff and man disagree on the
// encoding of others.
std::string roff(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const auto [code, length] = first_character(text);
    const char c = text.front();
    if (code >= 0x80) {
      escaped += fmt::format("\\[u{:04X}]", code);
    } else if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else if (c == '\'') {
      escaped += "\\(aq";
    } else if (c == '"') {
      escaped += "\\(dq";
    } else if (c == '^' || c == '~' || c == '`') {
      escaped += c == '^' ? "\\(ha" : c == '~' ? "\\(ti" : "\\(ga";
    } else {
      escaped += c;
    }
    text.remove_prefix(length);
  }
  return escaped;
}

// A line of text: a dot at its beginning would be a request of groff.
std::string line(std::string_view text) {
  return (text.starts_with('.') ? "\\&" : "") + roff(text) + "\n";
}

// Without its first letter in capitals: the name section continues a sentence.
std::string uncapitalized(std::string text) {
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z')
    text[0] = static_cast<char>(text[0] + 32);
  return text;
}

// "skinbake-batch-merge".
std::string full_name(const DescribedCommand& command) {
  std::string name = command.name.empty() ? "skinbake" : "skinbake-" + command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string usage(const DescribedCommand& command) {
  if (command.name.empty()) return "skinbake COMMAND [OPTION…] …";
  std::string text = "skinbake " + command.name + " [OPTION…]";
  for (const DescribedOption& argument : command.arguments) {
    const std::string name = argument.long_name + (argument.repeats ? "…" : "");
    text += argument.is_required ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string option_text(const DescribedOption& option) {
  std::string text = ".TP\n";
  const auto bold = [](const std::string& name) { return "\\fB" + roff(name) + "\\fR"; };
  if (!option.short_name.empty()) text += bold(option.short_name) + ", ";
  text += bold(option.long_name);
  if (!option.value.empty()) text += " \\fI" + roff(option.value) + "\\fR";
  text += "\n" + line(option.help);
  if (!option.initial.empty()) text += line("Default: " + option.initial + ".");
  return text;
}

// The options under the headings of the help.
std::string options_text(const std::vector<DescribedOption>& options) {
  std::string text = ".SH OPTIONS\n", group = "Options";
  for (const DescribedOption& option : options) {
    if (option.group != group) text += ".SS " + roff(option.group) + "\n";
    group = option.group;
    text += option_text(option);
  }
  return text;
}

// The sections that a footer of the help becomes.
struct Footer {
  std::string notes, exit_codes, examples;
};

// "Examples:" and the like are headings, whose indented lines stand as they are. Other lines are
// prose, in paragraphs.
Footer footer_of(const DescribedCommand& command) {
  Footer footer;
  std::string* section = &footer.notes;
  bool is_verbatim = false;
  const auto end_verbatim = [&] {
    if (is_verbatim) *section += ".EE\n";
    is_verbatim = false;
  };
  std::istringstream lines(command.footer);
  for (std::string each; std::getline(lines, each);) {
    const bool is_indented = each.starts_with(' ');
    if (!is_indented) {
      end_verbatim();
      section = each == "Examples:"     ? &footer.examples
                : each == "Exit codes:" ? &footer.exit_codes
                                        : &footer.notes;
      if (section != &footer.notes) continue;
      const bool begins = section->empty() || section->ends_with(".PP\n");
      *section += !each.empty() ? line(each) : begins ? "" : ".PP\n";
    } else {
      if (!is_verbatim) *section += ".EX\n";
      is_verbatim = true;
      *section += line(each.substr(2));
    }
  }
  end_verbatim();
  while (footer.notes.ends_with(".PP\n")) footer.notes.resize(footer.notes.size() - 4);
  return footer;
}

std::string man_section(const char* heading, const std::string& text) {
  return text.empty() ? "" : std::string(".SH ") + heading + "\n" + text;
}

std::string commands_text(std::span<const DescribedCommand> commands) {
  std::string text = ".SH COMMANDS\n";
  for (const DescribedCommand& command : commands) {
    if (command.name.empty()) continue;
    text += ".TP\n\\fB" + roff(full_name(command)) + "\\fR(1)\n" + line(command.help + ".");
  }
  return text;
}

}  // namespace

std::string man_page_name(const DescribedCommand& command) {
  return full_name(command) + ".1";
}

std::string man_page(const DescribedCommand& command, std::span<const DescribedCommand> commands) {
  const std::string version(skinbake::version());
  std::string text = ".\\\" Made from the options of the program when it was built.\n";
  std::string title = full_name(command);
  for (char& c : title) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  text += ".TH " + roff(title) + " 1 \"\" \"skinbake " + version + "\" \"User Commands\"\n";
  text += ".SH NAME\n" + roff(full_name(command)) + " \\- ";
  std::string help = command.help;
  if (help.ends_with('.')) help.pop_back();
  text += roff(uncapitalized(help)) + "\n.SH SYNOPSIS\n" + line(usage(command));
  if (command.name.empty()) text += commands_text(commands);
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
  for (const DescribedOption& argument : command.arguments) text += option_text(argument);
  text += options_text(command.options);
  text += ".PP\nAn argument @FILE stands for the words of a file.\n";
  const Footer footer = footer_of(command);
  text += man_section("NOTES", footer.notes) +
          man_section("EXIT STATUS", footer_of(commands.front()).exit_codes) +
          man_section("EXAMPLES", footer.examples) + ".SH SEE ALSO\n";
  std::string others;
  for (const DescribedCommand& other : commands) {
    if (other.name == command.name) continue;
    others += (others.empty() ? ".BR " : " ,\n.BR ") + roff(full_name(other)) + " (1)";
  }
  return text + others + "\n";
}

}  // namespace skinbake::cli
