// The options of `skinbake fit`.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clips/selection.h"
#include "options/option_groups.h"
#include "outputs/report_outputs.h"
#include "skinbake/rig.h"

namespace skinbake::cli {

struct FitOptions : CommonOptions {
  std::string rig;
  std::vector<std::string> clips, meshes;
  std::string method = "dqs";
  std::vector<std::string> targets;  // paths of caches, {mesh} and {clip} replaced by ids
  FrameOptions frames;
  std::optional<double> max_error_m, max_error_relative;
  std::optional<int> correctives;
  int max_correctives = 64;
  std::optional<FitInfluences> influences;
  int helpers = 0;
  bool best_effort = false;
  bool normals = false;  // of the correctives
  std::string output;
  std::vector<std::string> formats;  // options of the output
  ReportOutputs reports;
  bool verify = false;
  std::string joint_params;
  std::string bind_cache;  // folder of bind-time results; empty: none
  std::string depfile;
  LoadOptions load;
  bool strict = false;
  bool sync = false;

  bool has_bound() const { return max_error_m || max_error_relative; }
};

// Writes a rig whose linear blending reproduces another method. Returns the exit code. Throws Error
// and UsageError.
int run_fit(FitOptions options);

}  // namespace skinbake::cli
