// Suggestions for mistyped words of a command line or of a file.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

// The word that differs from `typed` in the fewest letters, at most in a third of them, rounded up;
// the first of several. Two letters in the wrong order count as one, capital and small letters as
// equal. If no word is that close, the only word that contains `typed`. Empty: none.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& words);

// "; did you mean 'walk'?", the end of a message about a word that is not one of `words`. Empty:
// none of them is close to it.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words);

}  // namespace skinbake
