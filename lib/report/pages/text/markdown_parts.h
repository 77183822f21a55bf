// The collapsed parts of a report in Markdown.

#pragma once

#include <string>
#include <string_view>

#include "report/read/parsed_report.h"

namespace skinbake {

// A name as code, cut if it is long.
std::string short_code(std::string_view text);

// The sections that single options and commands add: those that fit into `room` bytes together.
std::string option_details(const ParsedReport& report, std::size_t room);

// The tables of all measurements: the first rows, as many as fit into `room` bytes together.
// Numbers that have changed since `before`, which may be null, say by how much.
std::string measurement_tables(const ParsedReport& report, const ParsedReport* before,
                               std::size_t room);

}  // namespace skinbake
