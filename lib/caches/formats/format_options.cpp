#include "caches/formats/format_options.h"

#include <algorithm>
#include <cassert>
#include <charconv>

#include "base/nearest_word.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The first choice: "linear" of "linear|step".
std::string_view first_choice(std::string_view choices) {
  return choices.substr(0, choices.find('|'));
}

bool has_choice(std::string_view choices, std::string_view value) {
  for (;;) {
    const std::string_view choice = first_choice(choices);
    if (choice == value) return true;
    if (choice.size() == choices.size()) return false;
    choices.remove_prefix(choice.size() + 1);
  }
}

// Whether the option allows a whole number. The only accepted spelling is "16", not "016" or
// "16.0".
bool has_number(const MethodParameter& option, const std::string& value) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && value == std::to_string(number) && number >= option.lowest &&
         number <= option.highest && number % option.multiple_of == 0;
}

bool has_value(const MethodParameter& option, const std::string& value) {
  return option.choices.empty() ? has_number(option, value) : has_choice(option.choices, value);
}

// The values that the option allows, in words: "0 or 1", "a whole number from 8 to 16".
std::string allowed_values(const MethodParameter& option) {
  if (option.choices.empty()) {
    const std::string kind = option.multiple_of == 1
                                 ? "whole number"
                                 : "multiple of " + std::to_string(option.multiple_of);
    return "a " + kind + " from " + std::to_string(static_cast<int>(option.lowest)) + " to " +
           std::to_string(static_cast<int>(option.highest));
  }
  std::string words(option.choices);
  for (std::size_t bar = words.find('|'); bar != std::string::npos; bar = words.find('|')) {
    words.replace(bar, 1, words.find('|', bar + 1) == std::string::npos ? " or " : ", ");
  }
  return words;
}

// Finds an option by its name; null: the option is unknown.
const MethodParameter* find_option(std::span<const MethodParameter> known, std::string_view name) {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const MethodParameter& p) { return p.name == name; });
  return found == known.end() ? nullptr : &*found;
}

}  // namespace

FormatOptions::FormatOptions(std::string_view format, std::span<const MethodParameter> known,
                             const CacheOptions& given)
    : format_(format), known_(known), given_(given) {
  for (const auto& [name, value] : given) {
    const MethodParameter* option = find_option(known, name);
    if (option == nullptr) {
      std::vector<std::string> names;
      for (const MethodParameter& each : known) names.emplace_back(each.name);
      fail("no option '" + name + "'; there is: " + options_text(known) +
           did_you_mean(name, names));
    }
    if (has_value(*option, value)) continue;
    fail("'" + name + "' must be " + allowed_values(*option) + ", not '" + value + "'");
  }
}

std::string_view FormatOptions::word(std::string_view name) const {
  const std::string* given = find(name);
  return given != nullptr ? std::string_view(*given) : first_choice(parameter(name).choices);
}

int FormatOptions::number(std::string_view name) const {
  const std::string* given = find(name);
  return given != nullptr ? std::stoi(*given) : static_cast<int>(parameter(name).initial);
}

void FormatOptions::fail(const std::string& cause) const {
  throw Error(ErrorKind::kUsage, "FORMAT_OPTION_UNKNOWN",
              "format " + std::string(format_) + ": " + cause);
}

const MethodParameter& FormatOptions::parameter(std::string_view name) const {
  const MethodParameter* option = find_option(known_, name);
  assert(option != nullptr);
  return *option;
}

const std::string* FormatOptions::find(std::string_view name) const {
  const auto found = given_.find(std::string(name));
  return found == given_.end() ? nullptr : &found->second;
}

std::string values_of_option(const MethodParameter& option) {
  if (!option.choices.empty()) return std::string(option.choices);
  const int lowest = static_cast<int>(option.lowest), highest = static_cast<int>(option.highest);
  return std::to_string(lowest) + "|" + std::to_string(lowest + option.multiple_of) + "|…|" +
         std::to_string(highest);
}

std::string options_text(std::span<const MethodParameter> options) {
  std::string text;
  for (const MethodParameter& option : options) {
    text += (text.empty() ? "" : ", ") + std::string(option.name) + "=" + values_of_option(option);
  }
  return text;
}

std::string options_text(const CacheFormat& format) {
  return options_text(format.options);
}

}  // namespace skinbake
