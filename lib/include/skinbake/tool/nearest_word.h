// Suggestions for mistyped words of a command line or of a file.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

// The word that differs from `typed` in the fewest letters, at most in a third of them, rounded up;
// the first of several. Empty: no word is that close.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& words);

}  // namespace skinbake
