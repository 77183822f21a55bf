// The first table of a page: the numbers of each body, mesh, clip and method, the worst first.

#pragma once

#include <span>
#include <string>

#include "report/pages/pairs.h"
#include "report/read/parsed_report.h"

namespace skinbake {

// The rows of bodies and of the worst pairs; the others are folded below. Columns without a value
// are absent.
std::string headline_table(std::span<const ParsedReport> reports, std::span<const Pair> pairs);

// What the numbers are measured against: "Volume and distortion … Errors are distances from lbs".
std::string references_text(std::span<const ParsedReport> reports);

}  // namespace skinbake
