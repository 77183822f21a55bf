#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/dense_ranks.h"
#include "skinbake/tool/comparison.h"

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
    // A comparison with an infinity says nothing: the limit is not kept.
    candidate.within = candidate.within && value && std::isfinite(value->value) &&
                       std::isfinite(limit.limit) && value->value <= limit.limit;
    candidate.values.push_back(value);
  }
  return candidate;
}

// The dense ranks of cost and values, [axis][candidate], which ignore rounding errors. Unmeasured
// values rank last.
std::vector<std::vector<double>> axes_of(const std::vector<Candidate>& candidates,
                                         std::size_t limits) {
  std::vector<double> values;
  for (const Candidate& c : candidates) values.push_back(c.cost.value_or(kInfinity));
  std::vector<std::vector<double>> axes{dense_ranks(values, 0)};
  for (std::size_t l = 0; l < limits; ++l) {
    values.clear();
    for (const Candidate& c : candidates) {
      values.push_back(c.values[l] ? c.values[l]->value : kInfinity);
    }
    axes.push_back(dense_ranks(values, kMeasuredRounding));
  }
  return axes;
}

bool is_dominated(const std::vector<std::vector<double>>& axes, std::size_t candidate,
                  std::size_t by) {
  bool better = false;
  for (const std::vector<double>& axis : axes) {
    if (axis[by] > axis[candidate]) return false;
    better = better || axis[by] < axis[candidate];
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
  const std::vector<std::vector<double>> axes = axes_of(candidates, limits.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    for (std::size_t other = 0; other < candidates.size() && candidates[c].pareto; ++other) {
      candidates[c].pareto = !is_dominated(axes, c, other);
    }
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
