// The options of `skinbake diff`.

#pragma once

#include <set>
#include <string>

#include "outputs/report_outputs.h"
#include "report/report.h"
#include "skinbake/compare.h"
#include "surfaces/options.h"

namespace skinbake::cli {

struct DiffOptions : SurfaceOptions {
  std::string a, b;
  std::string rig;    // empty: relative errors refer to the first frame of A
  int explained = 0;  // vertices
  // Of libraries:
  std::string map;            // a file of names of A and of B; empty: none
  bool fail_missing = false;  // what only one side has fails
  int top = 20;               // rows of the table

  ReportOutputs reports;
  PerVertex per_vertex = PerVertex::kJson;
  std::string error_matrix;  // a path; empty: none
  bool strict = false;

  std::set<std::string> typed;  // "--clip": the options on the command line

  bool wants_report() const { return reports.any(); }
};

// Return the exit code. Throw Error and UsageError.
int run_diff(DiffOptions options);
int diff_surfaces(const DiffOptions& options);  // --match surface, order, auto

}  // namespace skinbake::cli
