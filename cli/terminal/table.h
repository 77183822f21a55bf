// Tables and lists of names.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake::cli {

// ---- Tables for a terminal.

// Formats rows of equal length; the first row is the head. `alignment`: 'l' or 'r' for each column.
// Lines do not end in spaces.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::string_view alignment);

// "5.20 %" for 0.052; never "-0.00 %".
std::string percent_text(double part);

// ---- Names of files, meshes or clips in a message.

// "'Run', 'Walk' and 3 more": the first eight names, made safe to print.
std::string name_list(std::span<const std::string> names);

}  // namespace skinbake::cli
