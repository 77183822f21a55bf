// The metrics that a run measures, and the limits of recommendations.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/recommendation.h"
#include "skinbake/bake.h"
#include "skinbake/metrics.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

// ---- --metrics: which metrics a run measures, and their sinks.

inline const std::vector<std::string> kUsualMetrics{"error", "volume"};
inline constexpr const char* kAllMetrics = "all";

// Adds --metrics. "all" stands for every metric.
void add_metrics_option(CLI::App& command, std::vector<std::string>& metrics);

// Whether --metrics names the metric or "all".
bool is_chosen(const std::vector<std::string>& metrics, std::string_view metric);

// The choice as reports contain it, in the order of metrics(); empty for the usual choice.
std::vector<std::string> metric_setting(const std::vector<std::string>& metrics);

// The chosen metrics of one run, except error and volume, which have result types.
class ChosenMetrics {
 public:
  ChosenMetrics() = default;
  // Skips metrics that need triangles if the mesh does not have triangles. The input has the frames
  // of the run.
  ChosenMetrics(const std::vector<std::string>& metrics, MetricInput input,
                const Thresholds& thresholds);

  // Adds the metrics that measure the frames of the run itself.
  void add_sinks(MethodRun& run) const;
  // Bakes the other frames that some metrics need. The plan's only run is the method.
  void bake_other_frames(BakePlan plan);
  // Call after the bakes. In the order of metrics().
  std::vector<MetricResult> results() const;

 private:
  std::vector<std::unique_ptr<Metric>> metrics_;
};

// ---- The limits of --recommend.

// Moves the limits of --fail out of `thresholds`: they choose a method, and do not judge the run.
// Throws UsageError if there is none, or if one of them is for a single method.
std::vector<RecommendLimit> take_recommend_limits(Thresholds& thresholds);

}  // namespace skinbake::cli
