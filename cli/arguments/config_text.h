// The text of a configuration file, checked before CLI11 reads it.

#pragma once

#include <string>

namespace skinbake::cli {

// Returns the text without its comments, each list on one line. CLI11 takes a # in quotes for a
// comment, does not know a list whose first line is "[", and copies every part of a nested name for
// each key.
// Throws Error (kInput, CONFIG_INVALID): a quote or a bracket is not closed, a text in double
// quotes has a backslash, whose meaning CLI11 does not know, or a name is nested.
std::string plain_config(const std::string& text, const std::string& path);

}  // namespace skinbake::cli
