#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "report/comparison.h"
#include "report/dense_ranks.h"

namespace skinbake {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

std::optional<WorstValue> value_of(const MethodStanding& method, LimitedValue what) {
  switch (what) {
    case LimitedValue::kVolumeLoss:
      return method.loss;
    case LimitedValue::kJointVolumeLoss:
      return method.joint_loss;
    case LimitedValue::kDistortion:
      return method.distortion;
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
  Candidate candidate{method.method, method.cost, {}, false, false};
  for (const RecommendLimit& limit : limits) {
    candidate.values.push_back(value_of(method, limit.what));
  }
  return candidate;
}

// The value as a part of the limit: above 1, the limit is exceeded. A comparison with an infinity
// says nothing: the limit is not kept.
double part_of_limit(const std::optional<WorstValue>& value, double limit) {
  if (!value || !std::isfinite(value->value) || !std::isfinite(limit)) return kUnbounded;
  if (limit > 0) return value->value / limit;
  return value->value <= limit ? 0 : kUnbounded;
}

bool is_kept(const std::optional<WorstValue>& value, double limit) {
  return value && std::isfinite(value->value) && std::isfinite(limit) && value->value <= limit;
}

// Whether a mesh may not have the measurement: it encloses no volume, or has no triangle.
bool may_be_missing(LimitedValue what) {
  return what == LimitedValue::kVolumeLoss || what == LimitedValue::kJointVolumeLoss ||
         what == LimitedValue::kDistortion;
}

bool is_unmeasured(const Recommendation& recommendation, std::size_t limit) {
  const std::vector<std::size_t>& unmeasured = recommendation.unmeasured;
  return std::find(unmeasured.begin(), unmeasured.end(), limit) != unmeasured.end();
}

// The dense ranks of cost and values, [axis][candidate], which ignore rounding errors. Unmeasured
// values rank last.
std::vector<std::vector<double>> axes_of(const std::vector<Candidate>& candidates,
                                         std::size_t limits) {
  std::vector<double> values;
  for (const Candidate& c : candidates) values.push_back(c.cost.value_or(kUnbounded));
  std::vector<std::vector<double>> axes{dense_ranks(values, 0)};
  for (std::size_t l = 0; l < limits; ++l) {
    values.clear();
    for (const Candidate& c : candidates) {
      values.push_back(c.values[l] ? c.values[l]->value : kUnbounded);
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

void keep_worst(WorstValue value, std::optional<WorstValue>& worst) {
  if (worst && (std::isnan(worst->value) || value.value <= worst->value)) return;
  worst = std::move(value);
}

void find_nearest(Recommendation& recommendation) {
  const std::vector<RecommendLimit>& limits = recommendation.limits;
  const std::vector<Candidate>& candidates = recommendation.candidates;
  recommendation.unmeasured.clear();
  recommendation.nearest.reset();
  for (std::size_t l = 0; l < limits.size(); ++l) {
    if (may_be_missing(limits[l].what) &&
        std::none_of(candidates.begin(), candidates.end(),
                     [&](const Candidate& c) { return c.values[l].has_value(); })) {
      recommendation.unmeasured.push_back(l);
    }
  }
  if (recommendation.method) return;
  double least = kUnbounded;
  for (const Candidate& candidate : candidates) {
    double most = -1;
    std::size_t limit = 0;
    for (std::size_t l = 0; l < limits.size(); ++l) {
      if (is_unmeasured(recommendation, l)) continue;
      const double part = part_of_limit(candidate.values[l], limits[l].limit);
      if (part > most) most = part, limit = l;
    }
    // An infinity is not near; without a limit that can be measured, nothing is.
    if (most < 0 || !(most < least) || !candidate.values[limit]) continue;
    least = most;
    recommendation.nearest = {candidate.method, limit, *candidate.values[limit]};
  }
}

Recommendation recommend_among(std::vector<Candidate> candidates,
                               const std::vector<RecommendLimit>& limits) {
  Recommendation recommendation;
  recommendation.limits = limits;
  recommendation.candidates = std::move(candidates);
  find_nearest(recommendation);
  std::vector<Candidate>& all = recommendation.candidates;
  const std::vector<std::vector<double>> axes = axes_of(all, limits.size());
  const bool is_measured = recommendation.unmeasured.size() < limits.size();
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].within = is_measured;
    for (std::size_t l = 0; l < limits.size(); ++l) {
      if (is_unmeasured(recommendation, l)) continue;
      all[c].within = all[c].within && is_kept(all[c].values[l], limits[l].limit);
    }
    all[c].pareto = true;
    for (std::size_t other = 0; other < all.size() && all[c].pareto; ++other) {
      all[c].pareto = !is_dominated(axes, c, other);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.cost.value_or(kUnbounded) < b.cost.value_or(kUnbounded);
  });
  const auto cheapest =
      std::find_if(all.begin(), all.end(), [](const Candidate& c) { return c.within; });
  if (cheapest != all.end()) recommendation.method = cheapest->method;
  find_nearest(recommendation);
  return recommendation;
}

Recommendation recommend(const std::vector<MethodStanding>& methods,
                         const std::vector<RecommendLimit>& limits) {
  std::vector<Candidate> candidates;
  for (const MethodStanding& method : methods) candidates.push_back(candidate_of(method, limits));
  return recommend_among(std::move(candidates), limits);
}

}  // namespace skinbake
