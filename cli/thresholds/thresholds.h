// --fail-max 0.001, --warn-volume-loss dqs=5% and similar options: limits of a run's worst values.

#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

namespace CLI {
class App;
}

namespace skinbake::cli {

// A limit that every finite number keeps.
inline constexpr double kAnyNumber = std::numeric_limits<double>::max();

inline constexpr const char* kHardFail = "--hard-fail";
inline constexpr const char* kOver = "error.over";  // the part of the vertices over a limit

struct Threshold {
  std::string option;  // "--fail-max"
  CheckSeverity severity = CheckSeverity::kFail;
  std::string metric;  // "error.max"
  Unit unit = Unit::kMetres;
  double limit = 0;
  // Of "error.over": the limit that this part of the vertices may exceed, in metres or as a part of
  // the bounding box's diagonal.
  double vertex_limit = 0;
  bool vertex_limit_is_relative = false;
  // The only method that the limit applies to, as RunRecord::name(); empty: every method that does
  // not have a limit of its own.
  std::string method = {};

  double vertex_limit_m(double bbox_diagonal_m) const {
    return vertex_limit_is_relative ? vertex_limit * bbox_diagonal_m : vertex_limit;
  }
};

struct Thresholds {
  std::vector<Threshold> given;
  std::optional<double> fail_percent, warn_percent;  // as parts of 1; empty after settle()

  // Combines --fail-percent with --fail-max: the latter then says which vertices are counted. Call
  // once, after parsing. Throws UsageError.
  void settle();

  bool need_error() const;
  bool need_volume() const;

  // Throws UsageError if a limit names a method that is not one of the run's.
  void require_methods(const std::vector<std::string>& methods) const;

  // Every limit of a vertex error, ascending, for measure_position_error.
  std::vector<double> vertex_limits_m(double bbox_diagonal_m) const;
};

// Whether the threshold applies to a method: it is the limit of this method, or a limit of all
// methods, and none of `given` is the same option with a limit of this method. `method`: empty if
// it is unknown, as that of a cache without a sidecar.
bool applies_to(const Threshold& threshold, const std::vector<Threshold>& given,
                const std::string& method);

// Parses "0.01" or "1%"; a limit in metres must not be a percentage. Throws UsageError.
double parse_limit(const std::string& option, Unit unit, std::string text);

enum class Limits { kError, kErrorAndVolume };

// Adds --fail-… and --warn-… of every metric, and --hard-fail.
void add_threshold_options(CLI::App& command, Thresholds& thresholds,
                           Limits limits = Limits::kErrorAndVolume);

}  // namespace skinbake::cli
