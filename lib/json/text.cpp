#include "json/text.h"

#include <span>

namespace skinbake {

namespace {

// A row of table 3-7 of the Unicode Standard: the length of the characters with a lead byte, and
// the range of their second byte.
struct Row {
  std::size_t length;
  unsigned char second_min, second_max;
};

Row row_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};  // a continuation, or the overlong C0 and C1
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};  // above: surrogates
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};  // above: beyond U+10FFFF
  return {0, 0, 0};
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Row row = row_of(byte(0));
  if (row.length < 2) return row.length;
  if (text.size() < row.length) return 0;
  if (byte(1) < row.second_min || byte(1) > row.second_max) return 0;
  for (std::size_t i = 2; i < row.length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return row.length;
}

std::uint32_t code_point_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  std::uint32_t code_point = lead & (0x7Fu >> character.size());
  for (const char c : character.substr(1)) {
    code_point = code_point << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  }
  return code_point;
}

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

std::string file_name_of(const std::string& id) {
  constexpr std::size_t kLongest = 200;  // most file systems allow 255 bytes, with the extension
  if (id.empty() || id == "." || id == "..") return "_";
  constexpr std::string_view kReplaced = "\xEF\xBF\xBD";  // by printable()
  std::string name = id;
  for (char& c : name) {
    const bool reserved = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ||
                          std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos;
    if (reserved) c = '_';
  }
  name = printable(name);
  for (std::size_t at = 0; (at = name.find(kReplaced, at)) != std::string::npos;) {
    name.replace(at, kReplaced.size(), 1, '_');
  }
  if (name.size() <= kLongest) return name;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end);
}

}  // namespace skinbake
