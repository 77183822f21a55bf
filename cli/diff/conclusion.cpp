#include "diff/conclusion.h"

#include <algorithm>

#include "base/output_file.h"
#include "base/paths.h"
#include "outputs/output_paths.h"
#include "report/report_form.h"
#include "terminal/task_context.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

Report empty_report(const DiffOptions& options) {
  Report report;
  report.command = "diff";
  report.settings.fps = options.frames.fps;
  report.settings.frames = options.frames.frames;
  report.settings.loop = options.frames.loop;
  report.settings.space = options.frames.space;
  report.settings.reference = shown(options.a);
  report.settings.match = {Match::kIndex, Match::kIndex, "", 0};
  report.per_vertex =
      options.typed.contains("--per-vertex") ? options.per_vertex : PerVertex::kNone;
  return report;
}

std::vector<std::string> output_paths(const DiffOptions& options) {
  std::vector<std::string> outputs = options.reports.paths();
  if (options.per_vertex == PerVertex::kNpy) {
    outputs.push_back(per_vertex_path(options.reports.json_path(), {}));
  }
  if (!options.error_matrix.empty()) outputs.push_back(options.error_matrix);
  return outputs;
}

void check_outputs(const DiffOptions& options) {
  require_report(options.per_vertex, options.reports);
  const std::vector<std::string> outputs = output_paths(options);
  require_distinct(outputs);
  InputFiles inputs;
  for (const std::string& side : {options.a, options.b}) inputs.add_cache(side);
  if (!options.rig.empty()) inputs.add(options.rig, "rig");
  if (!options.map.empty()) inputs.add(options.map, "map of names");
  inputs.refuse(outputs);
}

int conclude(const DiffOptions& options, Report& report, Conclusion conclusion) {
  report.allowed = allowed_codes(report.issues);
  std::optional<OutputFile> per_vertex;
  if (options.per_vertex == PerVertex::kNpy && !report.meshes.empty()) {
    per_vertex.emplace(per_vertex_path(options.reports.json_path(), {}));
    RunRecord& run = report.meshes.front().runs.front();
    run.per_vertex_file = write_per_vertex(run, *per_vertex);
  }
  ReportFiles files(options.reports);
  files.write(texts_of(report, options.reports, shown(options.b), conclusion.view));
  std::vector<OutputFile*> all;
  if (conclusion.matrix) all.push_back(&conclusion.matrix->file());
  if (per_vertex) all.push_back(&*per_vertex);
  files.append(all);
  commit_outputs(all);
  print(files.printed());
  if (!options.quiet) print_result(conclusion.summary, options.reports.to_stdout());
  log_checks(report);
  const bool failed =
      report.checks.empty() ? conclusion.differs : verdict_status(report) == VerdictStatus::kFail;
  return std::max(failed ? 1 : 0, strict_exit_code(options.strict, report.issues, report.checks));
}

}  // namespace skinbake::cli
