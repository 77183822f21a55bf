#include "options/recommend_limits.h"

#include "options/parsing/usage_error.h"

namespace skinbake::cli {

std::vector<RecommendLimit> take_recommend_limits(Thresholds& thresholds) {
  if (thresholds.fail_percent) throw UsageError("--fail-percent", "does not apply to --recommend");
  std::vector<RecommendLimit> limits;
  std::vector<Threshold> rest;
  for (Threshold& threshold : thresholds.given) {
    if (threshold.severity != CheckSeverity::kFail) {
      rest.push_back(std::move(threshold));
      continue;
    }
    if (!threshold.method.empty()) {
      throw UsageError(threshold.option,
                       "limits '" + threshold.method +
                           "' alone; --recommend compares all methods with one limit");
    }
    limits.push_back({threshold.option, threshold.metric, threshold.unit, threshold.limit});
  }
  if (limits.empty()) {
    throw UsageError("--recommend", "needs a limit, such as --fail-volume-loss 5%");
  }
  thresholds.given = std::move(rest);
  return limits;
}

}  // namespace skinbake::cli
