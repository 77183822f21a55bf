// The limits of --recommend.

#pragma once

#include <vector>

#include "report/recommendation.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

// Moves the limits of --fail out of `thresholds`: they choose a method, and do not judge the run.
// Throws UsageError if there is none, or if one of them is for a single method.
std::vector<RecommendLimit> take_recommend_limits(Thresholds& thresholds);

}  // namespace skinbake::cli
