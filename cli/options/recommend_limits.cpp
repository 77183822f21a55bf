#include "options/recommend_limits.h"

#include "options/parsing/usage_error.h"

namespace skinbake::cli {

std::vector<RecommendLimit> take_recommend_limits(Thresholds& thresholds) {
  std::vector<RecommendLimit> limits;
  std::vector<Threshold> rest;
  for (Threshold& threshold : thresholds.given) {
    if (threshold.severity != CheckSeverity::kFail) {
      rest.push_back(std::move(threshold));
      continue;
    }
    if (!threshold.method.empty()) {
      throw UsageError("--fail", "limits '" + threshold.method +
                                     "' alone; --recommend compares all methods with one limit");
    }
    if (threshold.share || threshold.is_relative) {
      throw UsageError("--fail",
                       "has a share or a part of the diagonal, which --recommend does not "
                       "judge by: " +
                           threshold.key());
    }
    limits.push_back({threshold.key(), threshold.field.unit, threshold.limit});
  }
  if (limits.empty()) {
    throw UsageError("--recommend", "needs a limit, such as --fail volume.max_loss=5%");
  }
  thresholds.given = std::move(rest);
  return limits;
}

}  // namespace skinbake::cli
