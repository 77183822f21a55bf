// --fail-max 0.001, --warn-volume-loss 5% and their kin: limits on a run's worst values.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "skinbake/report.h"

namespace skinbake::cli {

struct Threshold {
  std::string option;    // "--fail-max"
  std::string severity;  // "fail", "warn"
  std::string metric;    // "error.max"
  std::string unit;      // "m", "1"
  double limit = 0;
};

struct Thresholds {
  std::vector<Threshold> given;

  bool need_error() const;
  bool need_volume() const;
};

// Adds --fail-… and --warn-… of every metric.
void add_threshold_options(CLI::App& command, Thresholds& thresholds);

// Holds every threshold against every run of the report; appends the checks, and issues for meshes
// without a volume.
void check(const Thresholds& thresholds, Report& report);

}  // namespace skinbake::cli
