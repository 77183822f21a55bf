// Checks and choices of values, for the parsers of options. Only files that define options include
// this header, because it includes CLI11.

#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/nearest_word.h"
#include "options/numbers.h"
#include "options/usage_error.h"
#include "report/report_form.h"
#include "skinbake/caches.h"
#include "skinbake/clip.h"

namespace skinbake::cli {

// A choice of words, which the help spells out: "auto|always|never".
template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& name, T& value,
                        const std::vector<std::pair<std::string, T>>& choices,
                        const std::string& help, const std::string& default_word) {
  std::string words;
  std::vector<std::string> known;
  for (const auto& [word, ignored] : choices) {
    words += (words.empty() ? "" : "|") + word;
    known.push_back(word);
  }
  return command
      .add_option_function<std::string>(
          name,
          [&value, choices, name, words, known](const std::string& given) {
            for (const auto& [word, meaning] : choices) {
              if (word == given) {
                value = meaning;
                return;
              }
            }
            throw UsageError(name,
                             "'" + given + "' is not one of " + words + did_you_mean(given, known));
          },
          help)
      ->type_name(words)
      ->default_str(default_word);
}

// One of the words, in any case of letters. Use it with transform(): it converts "HTML" to "html".
inline CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto check = [words](std::string& text) -> std::string {
    const std::string typed = CLI::detail::to_lower(text);
    std::string known;
    for (const std::string& word : words) {
      known += (known.empty() ? "" : ", ") + word;
      if (word != typed) continue;
      text = word;
      return "";
    }
    return "'" + text + "' is not one of " + known + did_you_mean(typed, words);
  };
  return CLI::Validator(check, "");
}

// An option of a list that takes one value each time it is given: "-o a.pc2 -o b.glb".
inline CLI::Option* repeatable(CLI::Option* option) {
  return option->expected(1)->allow_extra_args(false)->multi_option_policy(
      CLI::MultiOptionPolicy::TakeAll);
}

// A whole number between two others. The help contains both.
inline CLI::Validator whole(std::int64_t first, std::int64_t last) {
  const std::string from = std::to_string(first), to = std::to_string(last);
  const auto check = [=](std::string& text) -> std::string {
    const std::optional<std::int64_t> number = whole_number(text);
    if (number && *number >= first && *number <= last) return "";
    return "'" + text + "' is not a whole number from " + from + " to " + to;
  };
  return CLI::Validator(check, "INT in [" + from + " - " + to + "]");
}

inline CLI::Validator named_check(std::string (*check)(const std::string&),
                                  const std::string& name) {
  return {[check](std::string& text) { return check(text); }, "", name};
}

// Refuses an empty value, for example of an unset variable in a script: it would have the effect of
// an omitted option.
inline std::string check_not_empty(const std::string& text) {
  return text.empty() ? "must not be empty" : "";
}

// Refuses '-': this output needs a file.
inline std::string check_file(const std::string& path) {
  return path == "-" ? "needs a file; standard output is for the report" : check_not_empty(path);
}

// These checks say in the description of an option what the command does with the file that a value
// names (FileUse). Like check_not_empty, they refuse an empty value.
inline CLI::Validator reads_file() {
  return named_check(check_not_empty, "reads");
}
inline CLI::Validator may_read_file() {
  return named_check(check_not_empty, "may read");
}
inline CLI::Validator writes_file() {
  return named_check(check_file, "writes");
}
inline CLI::Validator writes_file_or_stdout() {
  return named_check(check_not_empty, "writes");
}
// "[FORM:]FILE", a form of a report.
inline CLI::Validator writes_report() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<ReportFile> file = report_file(text);
    if (!file) {
      return "'" + text +
             "' has no form; name a .json, .html, .md or .xml file, or write FORM:FILE, where FORM "
             "is "
             "json, html, markdown or junit";
    }
    const bool prints_page = file->form == ReportForm::kHtml && file->path == "-";
    return prints_page ? "a web page needs a file" : "";
  };
  return named_check(check, "writes report");
}
// The command replaces {mesh}, {clip} and {method} in the value.
inline CLI::Validator expands() {
  return named_check([](const std::string&) { return std::string(); }, "expands");
}

// CLI::PositiveNumber accepts NaN, and its message has all 309 digits of the largest number.
inline std::string check_positive(const std::string& text) {
  double value = 0;
  if (!text.empty() && !CLI::detail::lexical_cast(text, value)) return "";  // CLI11 reports it
  return value > 0 && std::isfinite(value) ? "" : "must be a number above 0";
}

inline std::string check_scale(const std::string& text) {
  double value = 0;
  if (!text.empty() && !CLI::detail::lexical_cast(text, value)) return "";  // CLI11 reports it
  return is_scale(value) ? "" : "must be a number from 1e-30 to 1e30";
}

}  // namespace skinbake::cli
