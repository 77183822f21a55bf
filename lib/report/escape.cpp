#include "report/escape.h"

#include <algorithm>

#include "json/utf8.h"

namespace skinbake {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// What turns the direction of the text after it: a name would be read backwards.
bool is_turn(std::string_view character) {
  return character == "\xD8\x9C" || character == "\xE2\x80\x8E" || character == "\xE2\x80\x8F" ||
         (character >= "\xE2\x80\xAA" && character <= "\xE2\x80\xAE") ||
         (character >= "\xE2\x81\xA6" && character <= "\xE2\x81\xA9");
}

// U+0080 to U+009F, U+FFFE and U+FFFF: XML forbids or discourages them.
bool is_control(std::string_view character) {
  if (character.size() == 1)
    return static_cast<unsigned char>(character[0]) < 0x20 || character[0] == 0x7f;
  return (character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0) ||
         character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
}

// Calls `take` with each character, in a form that can be shown.
template <class Take>
void for_each_character(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(character.size());
    if (character == "\n" || character == "\r" || character == "\t") {
      take(std::string_view(" "));
    } else {
      take(length == 0 || is_control(character) || is_turn(character) ? kReplacement : character);
    }
  }
}

std::string printable(std::string_view text) {
  std::string shown;
  for_each_character(text, [&](std::string_view character) { shown += character; });
  return shown;
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// An entity can never be part of Markdown's syntax.
std::string entity_of(char c) {
  return "&#" + std::to_string(static_cast<unsigned char>(c)) + ";";
}

bool is_plain(char c) {
  return is_letter_or_digit(c) || c == ' ' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for_each_character(text, [&](std::string_view character) {
    switch (character[0]) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += character;
    }
  });
  return safe;
}

std::string markdown_code(std::string_view text) {
  const std::string shown = printable(text);
  const bool fits_backticks = shown.find_first_of("`|") == std::string::npos &&
                              shown.find_first_not_of(' ') != std::string::npos;
  if (fits_backticks) return "`" + shown + "`";
  // Backticks would need longer fences, and renderers disagree about bars within them.
  std::string safe = "<code>";
  for (const char c : shown) is_plain(c) ? safe += c : safe += entity_of(c);
  return safe + "</code>";
}

std::string shortened(std::string_view text, std::size_t count) {
  std::string head;
  std::size_t taken = 0;
  for_each_character(text, [&](std::string_view character) {
    if (taken < count) head += character;
    if (taken == count) head += "…";
    ++taken;
  });
  return head;
}

}  // namespace skinbake
