#include "json/printable.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "json/utf8.h"

namespace skinbake {
namespace {

struct CodePoints {
  std::uint32_t first, last;
};

// Control characters (C0, C1, DEL, and U+FFFE and U+FFFF, which XML forbids or discourages), and
// characters that change the direction of the text after them.
constexpr CodePoints kControls[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0x61C, 0x61C},   {0x200E, 0x200F},
    {0x202A, 0x202E}, {0x2066, 0x2069}, {0xFFFE, 0xFFFF},
};

// Characters that draw nothing: two names that differ by them look equal. Variation selectors and
// tag characters can hold a hidden text, and U+FFF9 to U+FFFB delimit annotations. (The Unicode
// Standard 15: most have the property Default_Ignorable_Code_Point.)
constexpr CodePoints kInvisible[] = {
    {0xAD, 0xAD},     {0x34F, 0x34F},   {0x115F, 0x1160},   {0x180E, 0x180E},   {0x200B, 0x200B},
    {0x2060, 0x2064}, {0x206A, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}, {0xE0100, 0xE01EF},
};

bool is_one_of(std::span<const CodePoints> all, std::uint32_t code_point) {
  return std::any_of(all.begin(), all.end(), [code_point](const CodePoints& some) {
    return some.first <= code_point && code_point <= some.last;
  });
}

// The line and paragraph separators, U+2028 and U+2029, break lines as \n does.
bool breaks_line(std::uint32_t code_point) {
  return code_point == '\n' || code_point == '\r' || code_point == '\t' || code_point == 0x2028 ||
         code_point == 0x2029;
}

}  // namespace

std::string_view printable_character(std::string_view character, std::size_t length) {
  if (length == 0) return kReplacementCharacter;
  const std::uint32_t code_point = code_point_of(character);
  if (code_point >= 0x20 && code_point < 0x7F) return character;  // most are ASCII
  if (breaks_line(code_point)) return " ";
  const bool is_replaced = is_one_of(kControls, code_point) || is_one_of(kInvisible, code_point);
  return is_replaced ? kReplacementCharacter : character;
}

// U+200C and U+200D.
bool is_joiner(std::string_view character) {
  return character == "\xE2\x80\x8C" || character == "\xE2\x80\x8D";
}

std::string printable(std::string_view text) {
  std::string shown;
  for_each_printable(text, [&](std::string_view character) { shown += character; });
  return shown;
}

}  // namespace skinbake
