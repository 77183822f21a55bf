// The options of `skinbake diff`.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "compare/surface/surfaces.h"
#include "options/option_groups.h"
#include "outputs/report_outputs.h"
#include "report/report.h"
#include "skinbake/compare.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

struct DiffOptions : CommonOptions {
  std::string a, b;
  std::string rig;  // empty: relative errors refer to the first frame of A
  // Of the sides that are rigs, and of --rig:
  std::string method = "lbs";
  std::vector<std::string> clips, meshes;
  FrameOptions frames;
  LoadOptions load;
  int explained = 0;  // vertices
  Match match = Match::kIndex;
  double sampling = MatchPlan{}.sampling;
  bool hausdorff = false;  // also measure the Hausdorff distance
  bool overlap = false;    // accept clips of unequal length
  // Of libraries:
  std::vector<std::string> clips_b, meshes_b;  // of B; empty: as of A
  std::string map;                             // a file of names of A and of B; empty: none
  bool fail_missing = false;                   // what only one side has fails
  int top = 20;                                // rows of the table
  std::string rig_a, rig_b;                    // of caches whose surfaces are compared

  Thresholds thresholds;
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
