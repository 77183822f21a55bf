#include "diff/conclusion.h"

#include <algorithm>

#include "bake/summary.h"
#include "outputs/array_outputs.h"
#include "outputs/output_paths.h"
#include "thresholds/evaluate_thresholds.h"
#include "thresholds/threshold_text.h"

namespace skinbake::cli {

void check_outputs(const DiffOptions& options) {
  require_report(options.per_vertex, options.report);
  std::vector<std::string> outputs;
  if (!options.report.empty() && options.report != "-") outputs.push_back(options.report);
  if (options.per_vertex == PerVertex::kNpy) {
    outputs.push_back(per_vertex_path(options.report, {}));
  }
  if (!options.error_matrix.empty()) outputs.push_back(options.error_matrix);
  require_distinct(outputs);
  std::vector<std::string> inputs{options.a, options.b};
  if (!options.rig.empty()) inputs.push_back(options.rig);
  require_no_input(outputs, inputs);
}

int conclude(const DiffOptions& options, Report& report, Conclusion conclusion) {
  std::optional<OutputFile> per_vertex;
  if (options.per_vertex == PerVertex::kNpy && !report.meshes.empty()) {
    per_vertex.emplace(per_vertex_path(options.report, {}));
    RunRecord& run = report.meshes.front().runs.front();
    run.per_vertex_file = write_per_vertex(run, *per_vertex);
  }
  const std::string json = options.wants_report() ? to_json(report, options.threads) : "";
  std::optional<OutputFile> file;
  if (!options.report.empty() && options.report != "-") {
    file.emplace(options.report);
    file->write(json);
  }
  if (options.report_to_stdout()) print(json);
  if (!options.quiet) print_result(conclusion.summary, options.report_to_stdout());
  std::vector<OutputFile*> files;
  if (conclusion.matrix) files.push_back(&conclusion.matrix->file());
  if (per_vertex) files.push_back(&*per_vertex);
  if (file) files.push_back(&*file);
  commit_together(files);
  log_checks(report);
  const bool untested =
      std::any_of(report.self_test.begin(), report.self_test.end(),
                  [](const SelfTestRecord& t) { return t.exceeded != t.expected; });
  if (untested) log_error("--self-test: a threshold does not detect its limit; see above");
  const bool failed =
      report.checks.empty() ? conclusion.differs : verdict_status(report) == VerdictStatus::kFail;
  return std::max(failed || untested ? 1 : 0,
                  strict_exit_code(options.strict, report.issues, report.checks));
}

}  // namespace skinbake::cli
