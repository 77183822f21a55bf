// The text that `diff` prints.

#pragma once

#include <string>
#include <vector>

#include "skinbake/caches.h"
#include "skinbake/report.h"

namespace skinbake::cli {

// The difference of two caches, in the only run of the report. `parts`: the meshes of a cache of
// several.
std::string difference_text(const Report& report, const std::vector<CachePart>& parts);

// The difference of two reports: a table of the `top` measurements that have become worst, then a
// line for each of the first other changes.
std::string report_changes_text(const ReportChanges& changes, int top);

}  // namespace skinbake::cli
