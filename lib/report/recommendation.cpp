#include <algorithm>
#include <cmath>
#include <limits>

#include "skinbake/comparison.h"

namespace skinbake {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<WorstValue> value_of(const MethodStanding& method, LimitedValue what) {
  switch (what) {
    case LimitedValue::kVolumeLoss:
      return method.loss;
    case LimitedValue::kMaxError:
      return method.max;
    case LimitedValue::kMaxErrorRelative:
      return method.max_relative;
    case LimitedValue::kRmsError:
      break;
  }
  if (!method.rms) return {};
  WorstValue rms;
  rms.value = *method.rms;
  return rms;
}

Candidate candidate_of(const MethodStanding& method, const std::vector<RecommendLimit>& limits) {
  Candidate candidate{method.method, method.cost, {}, true, true};
  for (const RecommendLimit& limit : limits) {
    const auto value = value_of(method, limit.what);
    candidate.within = candidate.within && value && value->value <= limit.limit;
    candidate.values.push_back(value);
  }
  return candidate;
}

// Cost and values; what was not measured is worse than all that was.
std::vector<double> axes_of(const Candidate& candidate) {
  std::vector<double> axes{candidate.cost.value_or(kInfinity)};
  for (const auto& value : candidate.values) {
    axes.push_back(value && !std::isnan(value->value) ? value->value : kInfinity);
  }
  return axes;
}

bool is_dominated(const Candidate& candidate, const Candidate& by) {
  const std::vector<double> mine = axes_of(candidate), theirs = axes_of(by);
  bool better = false;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (theirs[i] > mine[i]) return false;
    better = better || theirs[i] < mine[i];
  }
  return better;
}

}  // namespace

Recommendation recommend(const std::vector<MethodStanding>& methods,
                         const std::vector<RecommendLimit>& limits) {
  Recommendation recommendation;
  recommendation.limits = limits;
  std::vector<Candidate>& candidates = recommendation.candidates;
  for (const MethodStanding& method : methods) {
    candidates.push_back(candidate_of(method, limits));
  }
  for (Candidate& candidate : candidates) {
    candidate.pareto =
        std::none_of(candidates.begin(), candidates.end(),
                     [&](const Candidate& other) { return is_dominated(candidate, other); });
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     return a.cost.value_or(kInfinity) < b.cost.value_or(kInfinity);
                   });
  const auto cheapest = std::find_if(candidates.begin(), candidates.end(),
                                     [](const Candidate& c) { return c.within; });
  if (cheapest != candidates.end()) recommendation.method = cheapest->method;
  return recommendation;
}

}  // namespace skinbake
