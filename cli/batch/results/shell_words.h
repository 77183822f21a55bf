// Command lines for a POSIX shell.

#pragma once

#include <span>
#include <string>

namespace skinbake::cli {

// A word that a shell takes as it is: quoted if it contains other characters than letters, digits
// and a few signs.
std::string shell_word(const std::string& word);

// A word for a line that is printed: one that is not printable has the quotes $'…' of Bash, ksh and
// zsh, with its bytes in octal, so that a name from a file neither breaks the line nor controls a
// terminal.
std::string printed_shell_word(const std::string& word);

// "skinbake bake hero.glb --clip=run".
std::string shell_line(std::span<const std::string> words);

// "cd models && ", before a line whose paths are relative to the folder; empty: none.
std::string go_to(const std::string& folder);

}  // namespace skinbake::cli
