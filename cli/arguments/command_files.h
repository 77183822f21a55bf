// The files from which the command line itself was read: @FILE and --config FILE.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skinbake::cli {

// Reads a text file of at most 64 KiB and records it. `code`: of the errors. Throws Error (kInput)
// if it cannot be read, is larger, or contains control characters.
std::string read_command_file(const std::string& path, std::string_view code);

// The files that were read, in order. No output may replace them, and a depfile lists them. A pipe,
// such as that of the shell's <(…), is not among them.
const std::vector<std::string>& command_files();

// Makes their paths absolute. Call before the process changes its folder.
void make_command_files_absolute();

}  // namespace skinbake::cli
