#include "bake/run.h"
#include "bake/summary.h"
#include "compare/explain.h"
#include "compare/options.h"
#include "compare/tables.h"
#include "methods/method_list.h"
#include "options/metric_choice.h"
#include "options/parsing/usage_error.h"
#include "report/document.h"
#include "report/read_report.h"
#include "report/recommendation.h"

namespace skinbake::cli {

namespace {

void conclude(const CompareOptions& options, Report& report) {
  if (options.explained > 0) {
    report.explain = explain_worst(report, static_cast<std::size_t>(options.explained));
  }
  if (!options.recommends) return;
  const NamedReport named{"", document_of(report)};
  report.recommendation =
      recommend_library({&named, 1}, options.limits).characters.front().recommendation;
}

// Adds the metrics that --explain and the limits of --recommend need.
void add_needed_metrics(CompareOptions& options) {
  if (options.explained > 0 && !options.measures("error")) options.metrics.emplace_back("error");
  for (const RecommendLimit& limit : options.limits) {
    const std::string metric = metric_of(limit);
    if (!options.measures(metric)) options.metrics.push_back(metric);
  }
}

}  // namespace

int run_compare(CompareOptions options) {
  options.methods = method_names(options.methods);
  if (options.recommends) options.limits = take_recommend_limits(options.thresholds);
  add_needed_metrics(options);
  return run_bake(options, {[](const Report& report, const std::deque<MeshJobs>&) {
                              return bodies_text(report) + comparison_text(report) +
                                     explanations_text(report) + recommendation_text(report);
                            },
                            [&](const Asset&, const ResolvedOptions&, Report& report) {
                              conclude(options, report);
                            }});
}

}  // namespace skinbake::cli
