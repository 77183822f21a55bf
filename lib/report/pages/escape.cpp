#include "report/pages/escape.h"

#include <algorithm>

#include "json/utf8.h"

namespace skinbake {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Characters that change the direction of the text after them.
bool changes_direction(std::string_view character) {
  return character == "\xD8\x9C" || character == "\xE2\x80\x8E" || character == "\xE2\x80\x8F" ||
         (character >= "\xE2\x80\xAA" && character <= "\xE2\x80\xAE") ||
         (character >= "\xE2\x81\xA6" && character <= "\xE2\x81\xA9");
}

// C0 and C1 control characters, and U+FFFE and U+FFFF: XML forbids or discourages them.
bool is_control(std::string_view character) {
  if (character.size() == 1)
    return static_cast<unsigned char>(character[0]) < 0x20 || character[0] == 0x7f;
  return (character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0) ||
         character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
}

// Calls `append` with each character, in printable form.
template <class Append>
void for_each_character(std::string_view text, Append append) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(character.size());
    if (character == "\n" || character == "\r" || character == "\t") {
      append(std::string_view(" "));
    } else {
      append(length == 0 || is_control(character) || changes_direction(character) ? kReplacement
                                                                                  : character);
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

// A character as an entity, which Markdown never reads as syntax.
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
  // Text with backticks would need longer fences, and renderers disagree about bars in code.
  std::string safe = "<code>";
  for (const char c : shown) is_plain(c) ? safe += c : safe += entity_of(c);
  return safe + "</code>";
}

std::string shortened(std::string_view text, std::size_t count) {
  std::string head;
  std::size_t count_so_far = 0;
  for_each_character(text, [&](std::string_view character) {
    if (count_so_far < count) head += character;
    if (count_so_far == count) head += "…";
    ++count_so_far;
  });
  return head;
}

}  // namespace skinbake
