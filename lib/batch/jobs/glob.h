// Patterns of names and paths: * any characters, ? one character, [abc] one of several; in paths,
// ** any number of folders.

#pragma once

#include <string>
#include <vector>

namespace skinbake {

// Whether the text contains a character that has a meaning in patterns.
bool is_pattern(const std::string& text);

// Whether the pattern matches the whole name. fnmatch of POSIX.1-2017; a name may begin with a
// point, which only patterns of files treat otherwise.
bool matches_pattern(const std::string& pattern, const std::string& name);

// The files whose paths match, sorted by bytes. A path that exists stands for itself, whatever
// characters it has. * and ? match neither '/' nor the dot of hidden files. ** does not follow
// links to folders, so a cycle of them ends. Folders that cannot be read are skipped. Never throws
// but std::bad_alloc.
std::vector<std::string> files_matching(const std::string& pattern);

}  // namespace skinbake
