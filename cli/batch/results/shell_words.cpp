#include "batch/results/shell_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <string_view>

#include "json/printable.h"

namespace skinbake::cli {

std::string shell_word(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./=:,@%+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string printed_shell_word(const std::string& word) {
  if (printable(word) == word) return shell_word(word);
  std::string quoted = "$'";
  for (const char c : word) {
    if (c >= ' ' && c <= '~') {
      quoted += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
      continue;
    }
    std::array<char, 5> octal{};
    std::snprintf(octal.data(), octal.size(), "\\%03o", static_cast<unsigned char>(c));
    quoted += octal.data();
  }
  return quoted + "'";
}

std::string shell_line(std::span<const std::string> words) {
  std::string line = "skinbake";
  for (const std::string& word : words) line += " " + printed_shell_word(word);
  return line;
}

std::string go_to(const std::string& folder) {
  if (folder.empty()) return "";
  // "cd -" would go to the last folder.
  return "cd " + printed_shell_word((folder.front() == '-' ? "./" : "") + folder) + " && ";
}

}  // namespace skinbake::cli
