// --fail-max 0.001, --warn-volume-loss 5% and their kin: limits on a run's worst values.

#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake::cli {

// The limit that every number keeps.
inline constexpr double kAnyNumber = std::numeric_limits<double>::max();

inline constexpr const char* kHardFail = "--hard-fail";
inline constexpr const char* kOver = "error.over";  // how many vertices are farther off

struct Threshold {
  std::string option;    // "--fail-max"
  std::string severity;  // "fail", "warn"
  std::string metric;    // "error.max"
  std::string unit;      // "m", "1"
  double limit = 0;
  // Of "error.over", the part of the vertices that may be farther off: than this, in metres or as a
  // part of the bounding box's diagonal.
  double vertex_limit = 0;
  bool vertex_limit_is_relative = false;

  double vertex_limit_m(double bbox_diagonal_m) const {
    return vertex_limit_is_relative ? vertex_limit * bbox_diagonal_m : vertex_limit;
  }
};

struct Thresholds {
  std::vector<Threshold> given;
  std::optional<double> fail_percent, warn_percent;  // as parts; until settle()

  // After the options are parsed: with --fail-percent, --fail-max says which vertices are counted.
  // Throws CLI::ValidationError.
  void settle();

  bool need_error() const;
  bool need_volume() const;

  // What vertices are counted against, for measure_position_error: every limit on the largest error
  // of a vertex, ascending.
  std::vector<double> vertex_limits_m(double bbox_diagonal_m) const;
};

// "0.01" or "1%", which is no limit in metres. Throws CLI::ValidationError.
double parse_limit(const std::string& option, std::string_view unit, std::string text);

enum class Limits { kError, kErrorAndVolume };

// Adds --fail-… and --warn-… of every metric.
void add_threshold_options(CLI::App& command, Thresholds& thresholds,
                           Limits limits = Limits::kErrorAndVolume);

}  // namespace skinbake::cli
