// The options of `skinbake bake` and `skinbake compare`.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "frame_options.h"
#include "habits.h"
#include "load_options.h"
#include "metric_choice.h"
#include "modifier_options.h"
#include "page_options.h"
#include "thresholds.h"

namespace skinbake::cli {

struct BakeOptions : Habits {
  std::string command = "bake";  // or "compare", which measures whatever is asked for
  std::string rig;
  bool strict = false;
  std::string clip;
  std::string map;  // empty: names are the same
  std::vector<std::string> meshes;
  LoadOptions load;
  std::vector<std::string> methods{"lbs"};  // of bake, one
  std::vector<Modifier> modifiers;          // in the order given
  // Of compare: those that every method is also evaluated with, after the modifiers.
  std::vector<EngineProfile> profiles;
  std::string joint_params;  // empty: none
  FrameOptions frames;
  std::vector<std::string> outputs;   // empty: no cache
  std::vector<std::string> formats;   // ID:NAME=VALUE,…
  bool half = false;                  // precision, where a format has it
  CacheAxes axes;                     // of what is written
  std::optional<NormalKind> normals;  // of caches that keep some; none: skinned
  bool verify = false;
  std::string report;  // empty: no report file; "-": standard output
  PageOptions pages;
  bool json = false;
  std::string reference;  // empty: lbs, or exact for lbs; of compare, the first method
  Baseline baseline = Baseline::kBind;
  std::vector<std::string> metrics;
  bool asks_to_measure = false;              // by --metrics and the like, for the summary alone
  std::optional<double> in_between_limit_m;  // none: no rate is looked for
  PerVertex per_vertex = PerVertex::kJson;
  std::string error_matrix;  // empty: none
  std::string bind_cache;    // empty: none
  bool sync = false;
  std::string depfile;
  std::string timing;
  Thresholds thresholds;

  bool wants_report() const {
    return command == "compare" || json || !report.empty() || !thresholds.given.empty() ||
           !pages.given().empty() || !error_matrix.empty() || asks_to_measure;
  }
  bool needs_error() const {
    return measures("error") || thresholds.need_error() || !error_matrix.empty();
  }
  bool measures(std::string_view metric) const { return is_chosen(metrics, metric); }
  bool report_to_stdout() const { return json || report == "-"; }
};

void add_bake_options(CLI::App& command, BakeOptions& options);
// The same for several methods: --methods in the place of --method.
void add_compare_options(CLI::App& command, BakeOptions& options);

}  // namespace skinbake::cli
