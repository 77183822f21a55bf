// The options of `skinbake bake` and `skinbake compare`.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clips/clip_source.h"
#include "options/option_groups.h"
#include "outputs/report_outputs.h"
#include "skinbake/caches.h"
#include "skinbake/frames.h"
#include "thresholds/metric_choice.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

struct BakeOptions : CommonOptions {
  std::string command = "bake";  // or "compare", which always measures
  std::string rig;
  bool strict = false;
  ClipSource clips;
  std::vector<std::string> meshes;
  LoadOptions load;
  std::vector<std::string> methods{"lbs"};  // bake: one
  std::vector<Modifier> modifiers;          // in the order of the command line
  std::vector<EngineProfile> profiles;      // compare: variants of every method
  std::string joint_params;                 // a path; empty: none
  FrameOptions frames;
  std::vector<std::string> outputs;   // empty: no cache
  std::vector<std::string> formats;   // ID:NAME=VALUE,…
  bool half = false;                  // precision, where the format has several
  CacheAxes axes;                     // of the caches
  bool exact_end = false;             // --end exact: caches also have the end of the clip
  std::optional<NormalKind> normals;  // of caches that store normals; none: skinned
  bool verify = false;
  ReportOutputs reports;
  std::string reference;  // empty: bake: lbs, or exact for lbs; compare: the first method
  Baseline baseline = Baseline::kBind;
  std::vector<std::string> metrics;
  bool asks_to_measure = false;  // by --metrics or --reference, for the summary
  PerVertex per_vertex = PerVertex::kJson;
  bool body = true;          // the report also has the meshes of one skeleton as one
  std::string error_matrix;  // a path; empty: none
  std::string bind_cache;    // folder of bind-time results; empty: none
  bool sync = false;
  bool keep = false;  // commit the caches of a run with exit code 1, too
  std::string depfile;
  std::string timing;
  Thresholds thresholds;

  bool wants_report() const {
    return command == "compare" || reports.any() || !thresholds.given.empty() ||
           !error_matrix.empty() || asks_to_measure;
  }
  bool needs_error() const { return measures("error") || !error_matrix.empty(); }
  bool measures(std::string_view metric) const { return is_chosen(metrics, metric); }
};

// Adds the options of bake, or of compare if `options.command` is "compare".
void add_bake_options(CLI::App& command, BakeOptions& options);

}  // namespace skinbake::cli
