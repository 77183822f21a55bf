#include "skinbake/tool/words/printable.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "json/utf8.h"

namespace skinbake {
namespace {

struct CodePoints {
  std::uint32_t first, last;
};

// The line and paragraph separators, U+2028 and U+2029, break lines as \n does.
bool breaks_line(std::string_view character) {
  return character == "\n" || character == "\r" || character == "\t" ||
         character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9";
}

// Characters that draw nothing: two names that differ by them look equal. Variation selectors and
// tag characters can hold a hidden text, and U+FFF9 to U+FFFB delimit annotations. (The Unicode
// Standard 15: most have the property Default_Ignorable_Code_Point.)
constexpr CodePoints kInvisible[] = {
    {0xAD, 0xAD},     {0x34F, 0x34F},   {0x115F, 0x1160},   {0x180E, 0x180E},   {0x200B, 0x200B},
    {0x2060, 0x2064}, {0x206A, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}, {0xE0100, 0xE01EF},
};

bool is_invisible(std::string_view character) {
  if (character.size() == 1) return false;
  const std::uint32_t code_point = code_point_of(character);
  return std::any_of(std::begin(kInvisible), std::end(kInvisible), [&](const CodePoints& some) {
    return some.first <= code_point && code_point <= some.last;
  });
}

// Characters that change the direction of the text after them.
bool changes_direction(std::string_view character) {
  return character == "\xD8\x9C" || character == "\xE2\x80\x8E" || character == "\xE2\x80\x8F" ||
         (character >= "\xE2\x80\xAA" && character <= "\xE2\x80\xAE") ||
         (character >= "\xE2\x81\xA6" && character <= "\xE2\x81\xA9");
}

// C0 and C1 control characters, and U+FFFE and U+FFFF: XML forbids or discourages them.
bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  return (byte(0) == 0xC2 && byte(1) < 0xA0) || character == "\xEF\xBF\xBE" ||
         character == "\xEF\xBF\xBF";
}

}  // namespace

std::string_view printable_character(std::string_view character, std::size_t length) {
  if (length == 0) return kReplacementCharacter;
  if (breaks_line(character)) return " ";
  const bool is_replaced =
      is_control(character) || changes_direction(character) || is_invisible(character);
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
