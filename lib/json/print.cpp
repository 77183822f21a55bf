#include "json/print.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "json/text.h"

namespace skinbake {

namespace {

// At least the length of the longest number: 24 characters for the shortest decimal of a double
// ("-2.2250738585072014e-308"), 20 for a 64-bit integer.
constexpr std::size_t kLongestNumber = 32;

template <class T>
void append_number(T number, std::string& text) {
  char digits[kLongestNumber];
  text.append(digits, std::to_chars(digits, digits + kLongestNumber, number).ptr);
}

// \n, or \u and four hexadecimal digits of each UTF-16 code unit.
void append_escape(std::string_view character, std::string& text) {
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt",
                             kHex = "0123456789abcdef";
  if (const std::size_t letter = kShort.find(character); letter != std::string_view::npos) {
    text += {'\\', kLetters[letter]};
    return;
  }
  const auto append_unit = [&](std::uint32_t unit) {
    text += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) text += kHex[unit >> shift & 15];
  };
  const std::uint32_t code_point = code_point_of(character);
  if (code_point < 0x10000) return append_unit(code_point);
  append_unit(0xD800 + ((code_point - 0x10000) >> 10));
  append_unit(0xDC00 + (code_point & 0x3FF));
}

bool is_plain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

void append_quoted(std::string_view string, std::string& text) {
  text += '"';
  while (!string.empty()) {
    const auto end = std::find_if_not(string.begin(), string.end(), is_plain);
    text.append(string.begin(), end);
    string.remove_prefix(static_cast<std::size_t>(end - string.begin()));
    if (string.empty()) break;
    const std::size_t length = utf8_length(string);
    const std::string_view character = string.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0) {
      text += kReplacementCharacter;
    } else if (length > 1 && printable_character(character, length) == character) {
      text += character;
    } else {
      append_escape(character, text);
    }
    string.remove_prefix(character.size());
  }
  text += '"';
}

bool is_flat(const OrderedJson& container) {
  return std::none_of(container.begin(), container.end(),
                      [](const OrderedJson& value) { return value.is_structured(); });
}

// All on one line.
constexpr std::size_t kOneLine = ~std::size_t{0};

void append_value(const OrderedJson& value, std::size_t indent, std::string& text);

void append_elements(const OrderedJson& container, std::size_t indent, std::string& text) {
  const bool is_line = indent == kOneLine || is_flat(container);
  const std::string separator = is_line ? ", " : ",\n" + std::string(indent + 2, ' ');
  text += container.is_object() ? '{' : '[';
  if (!is_line) text.append(separator, 1);
  for (auto element = container.begin(); element != container.end(); ++element) {
    if (element != container.begin()) text += separator;
    if (container.is_object()) {
      append_quoted(element.key(), text);
      text += ": ";
    }
    append_value(*element, is_line ? kOneLine : indent + 2, text);
  }
  if (!is_line) text.append(1, '\n').append(indent, ' ');
  text += container.is_object() ? '}' : ']';
}

void append_value(const OrderedJson& value, std::size_t indent, std::string& text) {
  using Type = OrderedJson::value_t;
  switch (value.type()) {
    case Type::object:
    case Type::array:
      return append_elements(value, indent, text);
    case Type::string:
      return append_quoted(value.get_ref<const std::string&>(), text);
    case Type::boolean:
      text += value.get<bool>() ? "true" : "false";
      return;
    case Type::number_unsigned:
      return append_number(value.get<std::uint64_t>(), text);
    case Type::number_integer:
      return append_number(value.get<std::int64_t>(), text);
    case Type::number_float:
      if (std::isfinite(value.get<double>())) {
        return append_number(value.get<double>() + 0.0, text);  // -0 + 0 is 0
      }
      [[fallthrough]];
    default:
      text += "null";
  }
}

}  // namespace

std::string print(const OrderedJson& document) {
  std::string text;
  append_value(document, 0, text);
  return text += '\n';
}

std::string print_line(const OrderedJson& document) {
  std::string text;
  append_value(document, kOneLine, text);
  return text += '\n';
}

std::string dumped(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string dumped(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

OrderedJson name_json(std::string_view name) {
  return name.empty() ? OrderedJson() : OrderedJson(name);
}

double shortest(float value) {
  if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
  char digits[kLongestNumber];
  const char* const end = std::to_chars(digits, digits + kLongestNumber, value).ptr;
  double number = 0;
  std::from_chars(digits, end, number);
  return number;
}

}  // namespace skinbake
