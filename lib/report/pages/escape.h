// Untrusted text, escaped for HTML, XML and Markdown, and printable: see json/text.h.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skinbake {

// For text and for quoted attributes of HTML and XML.
std::string escaped(std::string_view text);

// For Markdown, inside tables too: inline code that shows every character literally.
std::string markdown_code(std::string_view text);

// The most characters of a name that are displayed, and of one by which a script finds it or that a
// tooltip has: names of files may have millions.
inline constexpr std::size_t kLongestShown = 400, kLongestKey = 1000;

// The first `count` characters, followed by … if the text is longer.
std::string shortened(std::string_view text, std::size_t count);

}  // namespace skinbake
