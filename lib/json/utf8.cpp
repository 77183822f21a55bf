#include "json/utf8.h"

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

}  // namespace skinbake
