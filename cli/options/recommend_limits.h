// The limits of --recommend.

#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "report/recommendation.h"

namespace skinbake::cli {

// Adds --max-volume-loss and the other limits, which are appended in the order of this list.
void add_recommend_limits(CLI::App& command, std::vector<RecommendLimit>& limits);

// Throws UsageError if only one of --recommend and its limits is given.
void check_recommendation(bool recommends, const std::vector<RecommendLimit>& limits);

// The metric that a limit needs: "volume".
const char* metric_of(LimitedValue what);

}  // namespace skinbake::cli
