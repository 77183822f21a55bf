// Tables for a terminal.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skinbake::cli {

// Rows of equal length, the first the head; `alignment` has 'l' or 'r' for each column. Lines end
// without spaces.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::string_view alignment);

// "5.20 %" of 0.052, and no "-0.00 %".
std::string percent_text(double part);

}  // namespace skinbake::cli
