// Text that nobody vouches for, made harmless for where it is put. Control characters, what turns
// the direction of text and what is not UTF-8 become U+FFFD; line breaks and tabs become spaces.

#pragma once

#include <string>
#include <string_view>

namespace skinbake {

// For the text and the attributes of HTML and XML, within single or double quotes.
std::string escaped(std::string_view text);

// For Markdown, also within a table: shown as code, letter by letter.
std::string markdown_code(std::string_view text);

// The first `count` characters, and … if there are more.
std::string shortened(std::string_view text, std::size_t count);

}  // namespace skinbake
