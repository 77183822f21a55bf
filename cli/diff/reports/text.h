// The text that `diff` of two reports prints.

#pragma once

#include <string>

#include "report/report.h"

namespace skinbake::cli {

// A table of the `top` measurements that have become worst, then a line for each of the first other
// changes.
std::string report_changes_text(const ReportChanges& changes, int top);

}  // namespace skinbake::cli
