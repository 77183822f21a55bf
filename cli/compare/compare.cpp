#include "bake/run.h"
#include "bake/summary.h"
#include "compare/explain.h"
#include "compare/options.h"
#include "compare/tables.h"
#include "options/parsing/usage_error.h"
#include "options/recommend_limits.h"
#include "report/comparison.h"

namespace skinbake::cli {

namespace {

void conclude(const CompareOptions& options, Report& report) {
  if (options.explained > 0) {
    report.explain = explain_worst(report, static_cast<std::size_t>(options.explained));
  }
  if (options.recommends) report.recommendation = recommend(standings(report), options.limits);
}

// Adds the metrics that --explain and the limits of --recommend need.
void add_needed_metrics(CompareOptions& options) {
  if (options.explained > 0 && !options.measures("error")) options.metrics.emplace_back("error");
  for (const RecommendLimit& limit : options.limits) {
    const char* const metric = metric_of(limit.what);
    if (!options.measures(metric)) options.metrics.emplace_back(metric);
  }
}

}  // namespace

int run_compare(CompareOptions options) {
  check_recommendation(options.recommends, options.limits);
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
