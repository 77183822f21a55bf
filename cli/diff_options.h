// The options of `skinbake diff`.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "frame_options.h"
#include "habits.h"
#include "load_options.h"
#include "skinbake/skinbake.h"
#include "thresholds.h"

namespace skinbake::cli {

struct DiffOptions : Habits {
  std::string a, b;
  std::string rig;  // empty: sizes are those of a's first frame
  // Of the sides that are rigs, and of --rig:
  std::string clip, method = "lbs";
  std::vector<std::string> meshes;
  FrameOptions frames;
  LoadOptions load;
  int explained = 0;  // vertices

  Thresholds thresholds;
  ReportTolerance tolerance;  // of two reports
  bool self_test = false;
  std::string report;  // empty: no report file; "-": standard output
  bool json = false;
  PerVertex per_vertex = PerVertex::kJson;
  std::string error_matrix;  // empty: none
  bool strict = false;

  bool wants_report() const { return json || !report.empty(); }
  bool report_to_stdout() const { return json || report == "-"; }
};

void add_diff_options(CLI::App& command, DiffOptions& options);

// What only rigs or only reports take must not be given to others, where it would do nothing.
// Throws CLI::ValidationError.
void require_use(const CLI::App& command, bool has_rig, bool are_reports);

// A JSON report, by its name.
bool is_report_file(const std::string& path);

// Throws Error (kInput) if one side is a report and the other is none.
void require_one_kind(const DiffOptions& options);

}  // namespace skinbake::cli
