// Command lines for a POSIX shell.

#pragma once

#include <span>
#include <string>

namespace skinbake::cli {

// A word that a shell takes as it is: quoted if it contains other characters than letters, digits
// and a few signs.
std::string shell_word(const std::string& word);

// "skinbake bake hero.glb --clip=run".
std::string shell_line(std::span<const std::string> words);

}  // namespace skinbake::cli
