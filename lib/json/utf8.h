// Recognises valid UTF-8.

#pragma once

#include <cstddef>
#include <string_view>

namespace skinbake {

// The number of bytes of the first character of `text`; 0 if it is not valid UTF-8. Overlong forms,
// surrogates and code points beyond U+10FFFF are invalid. The Unicode Standard 15, table 3-7.
// Precondition: `text` is not empty.
std::size_t utf8_length(std::string_view text);

}  // namespace skinbake
