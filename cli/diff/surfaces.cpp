// `diff --match surface|order|auto`: compares surfaces whose vertices do not pair by index.

#include <utility>

#include "base/paths.h"
#include "diff/conclusion.h"
#include "diff/rig_pairs.h"
#include "options/usage_error.h"
#include "outputs/output_paths.h"
#include "surfaces/comparison.h"
#include "surfaces/text.h"
#include "terminal/format.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

// Throws UsageError if an option only applies to a comparison by index.
void require_no_index_options(const DiffOptions& options) {
  for (const char* option : {"--rig", "--explain", "--error-matrix"}) {
    if (options.typed.contains(option)) throw UsageError(option, "applies to --match index");
  }
  require_paired_names("--clip", options.clips, options.clips_b);
  if (options.per_vertex == PerVertex::kNpy) {
    throw UsageError("--per-vertex", "npy applies to --match index; use json");
  }
}

void refuse_inputs(const DiffOptions& options, const SurfaceComparison& c) {
  InputFiles inputs;
  inputs.add(*c.a.asset);
  inputs.add(*c.b.asset);
  inputs.refuse(output_paths(options));
}

void add_inputs(const SurfaceSide& side, Report& report) {
  if (side.cache) {
    report.inputs.push_back(
        {side.role, shown(side.path), side.cache->bytes(), side.cache->xxh128()});
  }
  const std::vector<InputFile>& inputs = side.asset->inputs;
  report.inputs.insert(report.inputs.end(), inputs.begin(), inputs.end());
  const Issues& issues = side.asset->issues;
  report.issues.insert(report.issues.end(), issues.begin(), issues.end());
}

Report report_of(const DiffOptions& options, double fps, const SurfaceComparison& c) {
  Report report = empty_report(options);
  report.settings.fps = fps;
  report.settings.match = {options.plan.match, c.matched.match, c.matched.reason,
                           options.plan.sampling};
  report.clips = c.records;
  report.issues = c.issues;
  add_inputs(c.a, report);
  add_inputs(c.b, report);
  report.meshes = c.meshes;
  report.issues = sorted_unique(std::move(report.issues));
  evaluate_thresholds(options.thresholds, report);
  add_clip_checks(c.clips, c.b, report);
  add_area_check(c, report);
  return report;
}

}  // namespace

int diff_surfaces(const DiffOptions& options) {
  require_no_index_options(options);
  SurfaceOptions surface = options;
  surface.view = options.reports.view;
  SurfaceComparison comparison;
  open_surfaces(surface, options.a, options.b, comparison);
  refuse_inputs(options, comparison);
  measure_surfaces(surface, comparison);
  Report report = report_of(options, surface.frames.fps, comparison);
  log_issues(report.issues, files_of(comparison));
  Conclusion conclusion;
  conclusion.summary = surface_text(comparison) + passed_text(report);
  conclusion.differs = comparison.differs();
  if (comparison.view) conclusion.view = &comparison.view->view;
  return conclude(options, report, std::move(conclusion));
}

}  // namespace skinbake::cli
