// Words of a command line from files: @FILE.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

// Replaces each word @FILE by the words of the file: separated by spaces and line ends, in quotes
// ('…' or "…") as they stand, a backslash before a character outside quotes as that character. A
// line that begins with # is a comment. Words after "--" stay, and so do those of an option's value
// in the form --option=@value. A file cannot name another file.
// Throws Error (kInput, ARGUMENTS_INVALID).
std::vector<std::string> with_argument_files(const std::vector<std::string>& words);

}  // namespace skinbake::cli
