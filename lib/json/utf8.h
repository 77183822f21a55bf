// Where valid UTF-8 ends.

#pragma once

#include <cstddef>
#include <string_view>

namespace skinbake {

// How many bytes the character at the start of `text` has; 0 if it is not valid UTF-8 (overlong
// forms, surrogates and what lies beyond U+10FFFF are not). The Unicode Standard 15, table 3-7.
// Constraint: `text` is not empty.
std::size_t utf8_length(std::string_view text);

}  // namespace skinbake
