// Tables for a terminal.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skinbake::cli {

// Formats rows of equal length; the first row is the head. `alignment`: 'l' or 'r' for each column.
// Lines do not end in spaces.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::string_view alignment);

// "5.20 %" for 0.052; never "-0.00 %".
std::string percent_text(double part);

}  // namespace skinbake::cli
