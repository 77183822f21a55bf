// Untrusted UTF-8 text: its characters, and what is safe to print or to name a file.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skinbake {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

// The number of bytes of the first character of `text`; 0 if it is not valid UTF-8. Overlong forms,
// surrogates and code points beyond U+10FFFF are invalid. The Unicode Standard 15, table 3-7.
// Precondition: `text` is not empty.
std::size_t utf8_length(std::string_view text);

// The code point of a character. Precondition: it is valid UTF-8.
std::uint32_t code_point_of(std::string_view character);

// What printable() shows for one character. `length` is the utf8_length() of the character.
std::string_view printable_character(std::string_view character, std::size_t length);

// Whether the character, which draws nothing, joins or separates its neighbours. Persian, Indic
// scripts and emoji need joiners; between ASCII characters they have no effect.
bool is_joiner(std::string_view character);

// Calls `append(character)` with what printable() shows for each character.
template <class Append>
void for_each_printable(std::string_view text, Append append) {
  bool follows_ascii = true;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const bool is_hidden = follows_ascii && is_joiner(character);
    append(is_hidden ? kReplacementCharacter : printable_character(character, length));
    if (!is_hidden) follows_ascii = character.size() == 1;
    text.remove_prefix(character.size());
  }
}

// Returns the text on one line. Line breaks and tabs become spaces. Control characters (C0, C1,
// DEL, U+FFFE, U+FFFF), characters that change the direction of the text after them, characters
// that draw nothing (zero-width spaces, tags, joiners after ASCII), and bytes that are not UTF-8
// become U+FFFD. A name from a file can then neither control a terminal nor forge a line nor hide a
// difference.
std::string printable(std::string_view text);

// An id as part of a file name: `/ \ : * ? " < > |` and characters that do not print become '_'; an
// id that is empty, "." or ".." becomes "_"; at most 200 bytes, cut between UTF-8 characters.
std::string file_name_of(const std::string& id);

}  // namespace skinbake
