#include "report/pages/escape.h"

#include "json/text.h"

namespace skinbake {

namespace {

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
  for_each_printable(text, [&](std::string_view character) {
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
  for_each_printable(text, [&](std::string_view character) {
    if (count_so_far < count) head += character;
    if (count_so_far == count) head += "…";
    ++count_so_far;
  });
  return head;
}

}  // namespace skinbake
