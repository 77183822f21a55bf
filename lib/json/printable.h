// Untrusted text, made safe to print.

#pragma once

#include <string>
#include <string_view>

namespace skinbake {

// Returns the text on one line. Line breaks and tabs become spaces. Control characters (C0, C1,
// DEL, U+FFFE, U+FFFF), characters that change the direction of the text after them, characters
// that draw nothing (zero-width spaces, tags, joiners after ASCII), and bytes that are not UTF-8
// become U+FFFD. A name from a file can then neither control a terminal nor forge a line nor hide a
// difference.
std::string printable(std::string_view text);

}  // namespace skinbake
