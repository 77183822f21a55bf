#include "batch/results/shell_words.h"

#include <algorithm>
#include <cctype>
#include <string_view>

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

std::string shell_line(std::span<const std::string> words) {
  std::string line = "skinbake";
  for (const std::string& word : words) line += " " + shell_word(word);
  return line;
}

}  // namespace skinbake::cli
