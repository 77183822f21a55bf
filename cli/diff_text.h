// What `diff` prints for people.

#pragma once

#include <string>
#include <vector>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// Of the only run of a report of frames. `parts`: the meshes that its vertices are of, if several.
std::string difference_text(const Report& report, const std::vector<CachePart>& parts);

// Of a report of two reports: the first changes, a line each.
std::string changes_text(const ReportChanges& changes);

}  // namespace skinbake::cli
