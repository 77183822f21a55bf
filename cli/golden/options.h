// `skinbake golden jobs.json -o goldens/`: signs caches. `--check goldens/` compares them with
// their goldens.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batch/goldens/golden.h"
#include "options/option_groups.h"
#include "outputs/report_outputs.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

struct GoldenCommandOptions : CommonOptions {
  std::vector<std::string> sources;  // manifests, folders, caches
  std::string output;                // folder of the goldens to write; empty: check
  std::string check;                 // folder of the goldens to check; empty: write
  std::string rig;                   // of caches; empty: unknown, or named by a manifest's task
  GoldenOptions golden;
  Thresholds thresholds;
  ReportOutputs reports;
  LoadOptions load;

  // The largest distance of the sample that passes; none: none does.
  std::optional<double> limit_m() const {
    if (thresholds.given.empty()) return {};
    return thresholds.given.front().limit;
  }
};

// Returns the exit code. Throws Error and UsageError.
int run_golden(const GoldenCommandOptions& options);

}  // namespace skinbake::cli
