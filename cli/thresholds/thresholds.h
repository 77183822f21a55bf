// --fail KEY=LIMIT and --warn KEY=LIMIT: limits of the numbers of a report.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "skinbake/metrics.h"

namespace CLI {
class App;
}

namespace skinbake::cli {

// "error.max=1mm,share=1%@dqs"
struct Threshold {
  CheckSeverity severity = CheckSeverity::kFail;
  std::string section;  // "error"
  MetricField field;    // "max"
  double limit = 0;     // in the unit of the field, or a part of the bind diagonal
  bool is_relative = false;
  // Of error.max: the part of a mesh's vertices that may exceed the limit in any one frame.
  std::optional<double> share = {};
  // The only method that the limit applies to, as RunRecord::name(); empty: every method without a
  // limit for it alone.
  std::string method = {};

  std::string key() const { return section + "." + std::string(field.key); }
  Unit unit() const { return is_relative ? Unit::kRatio : field.unit; }
  double limit_of(double bbox_diagonal_m) const {
    return is_relative ? limit * bbox_diagonal_m : limit;
  }
};

struct Thresholds {
  std::vector<Threshold> given;

  // Whether a limit needs the section.
  bool need(std::string_view section) const;

  // The first limit of the metric's first field.
  std::optional<double> limit_of(const MetricInfo& metric, double bbox_diagonal_m) const;

  // Throws UsageError if a limit names a method that is not one of the run's.
  void require_methods(const std::vector<std::string>& methods) const;

  // Every limit of error.max, ascending, for measure_position_error.
  std::vector<double> vertex_limits_m(double bbox_diagonal_m) const;
};

// Whether the threshold applies to a method: it is the limit of this method, or a limit of all
// methods, and none of `given` limits the same number for this method. `method`: empty if it is
// unknown, as for a cache without a sidecar.
bool applies_to(const Threshold& threshold, const std::vector<Threshold>& given,
                const std::string& method);

// Parses "1mm", "5%" or "0.05"; 5% of a length is relative. Throws UsageError.
struct Limit {
  double value = 0;
  bool is_relative = false;  // a part of the bind diagonal
};
Limit parse_limit(const std::string& option, Unit unit, const std::string& text);

// Parses "error.max=1mm,share=1%@dqs". `sections`: the metrics of the command. Throws UsageError.
Threshold parse_threshold(CheckSeverity severity, std::span<const MetricInfo> sections,
                          const std::string& text);

// Adds --fail and --warn. The limits are numbers of the sections.
void add_threshold_options(CLI::App& command, Thresholds& thresholds,
                           std::vector<MetricInfo> sections = metrics());

}  // namespace skinbake::cli
