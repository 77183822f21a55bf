// The option --metrics, and what it leads to in one run of a method.

#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

inline const std::vector<std::string> kUsualMetrics{"error", "volume"};

// "all" becomes every metric.
void add_metrics_option(CLI::App& command, std::vector<std::string>& metrics);
// --in-between-limit.
void add_in_between_option(CLI::App& command, std::optional<double>& limit_m);

// --per-vertex; its default is the value that it has.
void add_per_vertex_option(CLI::App& command, PerVertex& per_vertex);
// --error-matrix. `more`: what its help says besides.
void add_error_matrix_option(CLI::App& command, std::string& path, const std::string& more = "");

bool is_chosen(const std::vector<std::string>& metrics, std::string_view metric);

// What reports say of the choice, in the order of metrics(); empty if it is the usual one.
std::vector<std::string> metric_setting(const std::vector<std::string>& metrics);

// The chosen metrics of one run that have no result type of their own.
class ChosenMetrics {
 public:
  ChosenMetrics() = default;
  // Those that can be measured: some need triangles. The input's frames are the run's.
  ChosenMetrics(const std::vector<std::string>& metrics, const MetricInput& input);

  // Those that are fed by the run itself.
  void add_sinks(MethodRun& run) const;
  // Feeds those that need other frames, in bakes of their own. The plan's only run is the method.
  void bake_other_frames(BakePlan plan);
  // After the bakes, in the order of metrics().
  std::vector<MetricResult> results() const;

 private:
  std::vector<std::unique_ptr<Metric>> metrics_;
};

}  // namespace skinbake::cli
