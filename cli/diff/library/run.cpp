#include "diff/library/run.h"

#include <algorithm>

#include "diff/conclusion.h"
#include "diff/library/comparison.h"
#include "diff/library/files.h"
#include "diff/library/text.h"
#include "json/text.h"
#include "options/file_kinds.h"
#include "options/parsing/usage_error.h"
#include "options/selection.h"
#include "outputs/output_paths.h"
#include "task/task_context.h"
#include "thresholds/evaluate_thresholds.h"
#include "thresholds/threshold_text.h"

namespace skinbake::cli {

namespace {

// Throws UsageError if an option is for a single pair.
void require_library_options(const DiffOptions& options) {
  for (const char* option : {"--rig", "--explain", "--error-matrix", "--hausdorff", "--sampling",
                             "--rig-a", "--rig-b", "--view"}) {
    if (!options.typed.contains(option)) continue;
    throw UsageError(option, "is for two files; " + shown(options.a) + " and " + shown(options.b) +
                                 " are compared as libraries");
  }
  if (options.match != Match::kIndex) {
    throw UsageError("--match", "index is the only one of libraries; compare two of their rigs, " +
                                    std::string("which --match pairs with all meshes and clips"));
  }
  if (options.per_vertex == PerVertex::kNpy) {
    throw UsageError("--per-vertex", "npy is for two files; use json");
  }
  for (const std::string& side : {options.a, options.b}) {
    if (is_library(side) || is_evaluated(side)) continue;
    throw Error("LIBRARY_UNSUPPORTED", "is neither a folder nor a manifest nor a rig", {side, ""});
  }
  if (is_library(options.a) == is_library(options.b)) return;
  const bool a_is_library = is_library(options.a);
  throw Error("LIBRARY_UNSUPPORTED",
              "is one file, and " + shown(a_is_library ? options.a : options.b) + " is a library",
              {a_is_library ? options.b : options.a, ""});
}

bool differs(const Report& report) {
  return std::any_of(report.meshes.begin(), report.meshes.end(), [](const MeshRecord& mesh) {
    return std::any_of(mesh.runs.begin(), mesh.runs.end(),
                       [](const RunRecord& run) { return run.difference->vertices > 0; });
  });
}

}  // namespace

bool are_libraries(const DiffOptions& options) {
  if (is_library(options.a) || is_library(options.b)) return true;
  const bool asks = !options.clips_b.empty() || !options.meshes_b.empty() || !options.map.empty() ||
                    options.fail_missing || options.typed.contains("--top") ||
                    selects_several(options.clips) || selects_several(options.meshes) ||
                    (options.overlap && options.match == Match::kIndex);
  return asks && options.match == Match::kIndex && is_evaluated(options.a) &&
         is_evaluated(options.b);
}

int diff_libraries(const DiffOptions& options) {
  require_library_options(options);
  if (!options.map.empty()) record_inputs({options.map});
  LibraryComparison comparison;
  compare_libraries(options, comparison);
  Report& report = comparison.report;
  evaluate_thresholds(options.thresholds, report);
  log_issues(report.issues, comparison.files);
  log_library(*report.library);
  record_inputs(comparison.files, report.inputs);
  Conclusion conclusion;
  conclusion.summary = library_text(report, options.top) + passed_text(report);
  conclusion.differs = differs(report);
  const LibraryRecord& library = *report.library;
  const bool misses = library.missing_fails && library.missing() > 0;
  const int code = conclude(options, report, std::move(conclusion));
  return std::max({code, misses ? 1 : 0, comparison.failed_code});
}

}  // namespace skinbake::cli
