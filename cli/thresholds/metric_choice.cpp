// The metrics that a run measures, and the limits of recommendations.

#include <algorithm>

#include "options/choices.h"
#include "options/usage_error.h"
#include "thresholds/metric_choice.h"

namespace skinbake::cli {

void add_metrics_option(CLI::App& command, std::vector<std::string>& chosen) {
  chosen = kUsualMetrics;
  std::vector<std::string> names;
  for (const MetricInfo& metric : metrics()) names.emplace_back(metric.id);
  names.emplace_back(kAllMetrics);
  command.add_option("--metrics", chosen, "Metrics to measure (skinbake list metrics), or 'all'")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(one_of(names))
      ->type_name("NAME,…")
      ->default_str("error,volume");
}

bool is_chosen(const std::vector<std::string>& chosen, std::string_view metric) {
  return std::any_of(chosen.begin(), chosen.end(), [&](const std::string& name) {
    return name == metric || name == kAllMetrics;
  });
}

std::vector<std::string> metric_setting(const std::vector<std::string>& chosen) {
  std::vector<std::string> setting;
  for (const MetricInfo& metric : metrics()) {
    if (is_chosen(chosen, metric.id)) setting.emplace_back(metric.id);
  }
  return setting == kUsualMetrics ? std::vector<std::string>{} : setting;
}

ChosenMetrics::ChosenMetrics(const std::vector<std::string>& chosen, MetricInput input,
                             const Thresholds& thresholds) {
  const bool has_triangles = !input.rig->mesh->triangles.empty();
  for (const MetricInfo& metric : metrics()) {
    if (metric.make == nullptr || !is_chosen(chosen, metric.id)) continue;
    if (!has_triangles && metric.needs_triangles) continue;
    input.limit = thresholds.limit_of(metric, input.baseline->bbox_diagonal_m);
    metrics_.push_back(metric.make(input));
  }
}

void ChosenMetrics::add_sinks(MethodRun& run) const {
  for (const auto& metric : metrics_) {
    if (!metric->needs_other_frames()) run.sinks.push_back(metric.get());
  }
}

void ChosenMetrics::bake_other_frames(BakePlan plan) {
  for (const auto& metric : metrics_) {
    if (!metric->needs_other_frames()) continue;
    plan.runs.front().sinks = {metric.get()};
    while (const auto frames = metric->next_frames()) {
      plan.frames = *frames;
      bake(plan);
    }
  }
}

std::vector<MetricResult> ChosenMetrics::results() const {
  std::vector<MetricResult> results;
  for (const auto& metric : metrics_) results.push_back(metric->result());
  return results;
}

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
    if (threshold.share) {
      throw UsageError("--fail", "a share of the vertices does not apply to --recommend");
    }
    const std::string key = threshold.key() + (threshold.is_relative ? "_relative" : "");
    limits.push_back({key, threshold.unit(), threshold.limit});
  }
  if (limits.empty()) {
    throw UsageError("--recommend", "needs a limit, such as --fail volume.max_loss=5%");
  }
  thresholds.given = std::move(rest);
  return limits;
}

}  // namespace skinbake::cli
