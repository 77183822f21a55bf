// Thresholds against what was measured.

#pragma once

#include "skinbake/report.h"
#include "thresholds.h"

namespace skinbake::cli {

// One threshold against every run of the report.
Check hold(const Threshold& threshold, const Report& report);

// Holds every threshold against every run of the report and appends the checks; if there are any,
// also one that fails where a position is not a number.
void check(const Thresholds& thresholds, Report& report);

}  // namespace skinbake::cli
