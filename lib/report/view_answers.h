// What a report says beside its measurements, read back: `verification`, `self_test`, `explain`,
// `recommendation`, `changes` and `run.difference`.

#pragma once

#include <vector>

#include "report/json_cursor.h"
#include "skinbake/report_view.h"

namespace skinbake {

std::vector<VerificationRecord> verification_in(const JsonCursor& verification);
std::vector<SelfTestRecord> self_test_in(const JsonCursor& self_test);
std::vector<Explanation> explanations_in(const JsonCursor& explain);
Recommendation recommendation_in(const JsonCursor& recommendation);
ReportChanges changes_in(const JsonCursor& changes);
DifferenceView difference_in(const JsonCursor& difference);

}  // namespace skinbake
