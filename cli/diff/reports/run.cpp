#include "diff/reports/run.h"

#include <algorithm>
#include <optional>
#include <string>

#include "diff/conclusion.h"
#include "diff/reports/text.h"
#include "options/parsing/numbers.h"
#include "options/parsing/usage_error.h"
#include "outputs/input_files.h"
#include "outputs/output_paths.h"
#include "task/task_context.h"

namespace skinbake::cli {

namespace {

ReportTolerance parse_tolerance(std::string text) {
  ReportTolerance tolerance;
  if (text.ends_with("pp")) {
    const std::optional<double> points = finite_number(text.substr(0, text.size() - 2));
    if (!points || *points < 0) throw UsageError("--tolerance", "not per cent points: " + text);
    return {*points / 100, false};
  }
  tolerance.relative = text.ends_with('%');
  if (tolerance.relative) text.pop_back();
  const std::optional<double> value = finite_number(text);
  if (!value || *value < 0) {
    throw UsageError("--tolerance", "not a number or a percentage: " + text);
  }
  tolerance.value = tolerance.relative ? *value / 100 : *value;
  return tolerance;
}

}  // namespace

ReportTolerances parse_tolerances(const std::string& text) {
  ReportTolerances tolerances;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) {
      tolerances.all = parse_tolerance(item);
    } else if (item.find('.') > equals) {
      throw UsageError("--tolerance", "'" + item.substr(0, equals) +
                                          "' is not a metric with a number, such as error.max");
    } else {
      tolerances.of_metric[item.substr(0, equals)] = parse_tolerance(item.substr(equals + 1));
    }
    begin = end + 1;
  }
  return tolerances;
}

int diff_reports(const DiffOptions& options) {
  if (!options.thresholds.given.empty() || !options.rig.empty()) {
    throw Error("REPORTS_HAVE_A_TOLERANCE",
                "two reports are compared with --tolerance; --fail-…, --warn-… and "
                "--rig apply to caches");
  }
  Report report;
  report.command = "diff";
  report.settings.reference = shown(options.a);
  report.changes =
      compare_reports(options.a, options.b, options.tolerances, options.load.max_memory);
  report.inputs = {report.changes->a, report.changes->b};
  InputFiles inputs;
  inputs.add(report.changes->arrays, "array of a report");
  inputs.refuse(output_paths(options));
  record_inputs({options.a, options.b}, report.inputs);
  record_inputs(report.changes->arrays);
  return conclude(options, report,
                  {report_changes_text(*report.changes, options.top), report.changes->count > 0});
}

}  // namespace skinbake::cli
