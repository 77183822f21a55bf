// What a report says beside its measurements, read back: `explain`, `recommendation`, `changes` and
// `run.difference`.

#pragma once

#include <vector>

#include "report/json_cursor.h"
#include "skinbake/report_view.h"

namespace skinbake {

std::vector<Explanation> explanations_in(const JsonCursor& explain);
Recommendation recommendation_in(const JsonCursor& recommendation);
ReportChanges changes_in(const JsonCursor& changes);
DifferenceView difference_in(const JsonCursor& difference);

}  // namespace skinbake
