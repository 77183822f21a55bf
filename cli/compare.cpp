// skinbake compare rig.glb --methods lbs,dqs,cor --report methods.json

#include <memory>

#include "bake_run.h"
#include "commands.h"
#include "compare_options.h"
#include "comparison.h"
#include "explain.h"

namespace skinbake::cli {

namespace {

void conclude(const CompareOptions& options, Report& report) {
  if (options.explained > 0) {
    report.explain = explain_worst(report, static_cast<std::size_t>(options.explained));
  }
  if (options.recommends) report.recommendation = recommend(standings(report), options.limits);
}

// A limit measures what it is about, and who asks why vertices are far off, how far.
void measure_what_is_asked(CompareOptions& options) {
  if (options.explained > 0 && !options.measures("error")) options.metrics.emplace_back("error");
  for (const RecommendLimit& limit : options.limits) {
    const bool is_volume = limit.what == LimitedValue::kVolumeLoss;
    const char* const metric = is_volume ? "volume" : "error";
    if (!options.measures(metric)) options.metrics.emplace_back(metric);
  }
}

void run_compare(CompareOptions options) {
  check_recommendation(options);
  measure_what_is_asked(options);
  run_bake(
      options,
      {[](const Report& report, const std::deque<MeshJobs>&) {
         return comparison_text(report) + explanations_text(report) + recommendation_text(report);
       },
       [&](const Asset&, const Resolved&, Report& report) { conclude(options, report); }, true});
}

}  // namespace

void setup_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  options->command = "compare";
  options->methods = {"lbs", "dqs"};
  options->per_vertex = PerVertex::kNone;
  CLI::App* command =
      app.add_subcommand("compare", "Measure several methods over the same frames, in one pass");
  add_bake_options(*command, *options);
  add_compare_options(*command, *options);
  command->footer(
      "Methods are ranked by how little they change the volume; against a reference that is none "
      "of\n"
      "them, by their rms error. cost: times as long as linear blending. pareto: nothing is as "
      "cheap\n"
      "and as good, and better in one of the two.\n"
      "\n"
      "Examples:\n"
      "  skinbake compare hero.glb --clip run --methods lbs,dqs,cor\n"
      "  skinbake compare hero.glb --clip all --methods all --report methods.json\n"
      "  skinbake compare hero.glb --methods dqs:sign=first,scale=joint,cor --reference lbs\n"
      "  skinbake compare hero.glb --methods lbs,dqs --html methods.html --per-vertex json\n"
      "  skinbake compare hero.glb --methods dqs --fail-volume-loss 5% --junit out.xml\n"
      "  skinbake compare hero.glb --methods lbs,dqs --reference golden.pc2 --fail-max 1e-4\n"
      "  skinbake compare hero.glb --methods lbs,dqs --explain 3\n"
      "  skinbake compare hero.glb --methods all --recommend --max-volume-loss 5%\n"
      "  skinbake compare hero.glb --methods lbs,dqs --profile unity-4 --profile unreal-4\n"
      "  skinbake compare hero.glb --methods lbs,dqs -o '{mesh}.{method}.pc2'");
  command->callback([options] { run_compare(*options); });
}

}  // namespace skinbake::cli
