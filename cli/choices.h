// What several commands' options have in common.

#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skinbake::cli {

// A choice of words, spelt out in the help: "auto|always|never".
template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& name, T& value,
                        const std::vector<std::pair<std::string, T>>& choices,
                        const std::string& help, const std::string& default_word) {
  std::string words;
  for (const auto& [word, ignored] : choices) words += (words.empty() ? "" : "|") + word;
  return command
      .add_option_function<std::string>(
          name,
          [&value, choices, name, words](const std::string& typed) {
            for (const auto& [word, meaning] : choices) {
              if (word == typed) {
                value = meaning;
                return;
              }
            }
            throw CLI::ValidationError(name, "'" + typed + "' is not one of " + words);
          },
          help)
      ->type_name(words)
      ->default_str(default_word);
}

// An empty variable of a script must not pass for an option that was not given.
inline std::string not_empty(const std::string& text) {
  return text.empty() ? "must not be empty" : "";
}

// An output that only has sense under a name.
inline std::string a_file(const std::string& path) {
  return path == "-" ? "needs a file; standard output is for the report" : not_empty(path);
}

// CLI::PositiveNumber takes NaN, and answers with all 309 digits of the greatest number.
inline std::string positive(const std::string& text) {
  double value = 0;
  if (!text.empty() && !CLI::detail::lexical_cast(text, value)) return "";  // said elsewhere
  return value > 0 && std::isfinite(value) ? "" : "must be a number above 0";
}

// 0, 1, 2 …; nothing if that is not what it says.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return {};
  return number;
}

}  // namespace skinbake::cli
