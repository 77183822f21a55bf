// The options of `skinbake report`.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skinbake/gltf.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

struct ReportOptions {
  std::vector<std::string> reports;
  std::vector<std::string> outputs;  // [FORM:]FILE
  bool overview = false;
  bool self_contained = false;       // the overview contains the pages of the reports
  std::vector<std::string> against;  // older reports, whose changes are shown
  std::string tolerance;             // KEY=LIMIT,…
  int top = 20;                      // changes that are printed
  bool recommends = false;
  Thresholds thresholds;  // of --recommend
  bool json = false;      // what --recommend prints
  bool strict = false;
};

// Returns the exit code. Throws Error and UsageError.
int run_report(const ReportOptions& options);

}  // namespace skinbake::cli
