// skinbake compare rig.glb --methods lbs,dqs,cor --report methods.json

#include <memory>

#include "bake_run.h"
#include "commands.h"
#include "comparison.h"

namespace skinbake::cli {

namespace {

void run_compare(BakeOptions options) {
  options.thresholds.settle();
  run_bake(options, {[](const Report& report, const std::deque<MeshJobs>&) {
             return comparison_text(report);
           }});
}

}  // namespace

void setup_compare(CLI::App& app) {
  auto options = std::make_shared<BakeOptions>();
  options->command = "compare";
  options->methods = {"lbs", "dqs"};
  options->per_vertex = PerVertex::kNone;
  CLI::App* command =
      app.add_subcommand("compare", "Measure several methods over the same frames, in one pass");
  add_bake_options(*command, *options);
  command->footer(
      "Methods are ranked by how little they change the volume; against a reference that is none "
      "of\n"
      "them, by their rms error. cost: times as long as linear blending.\n"
      "\n"
      "Examples:\n"
      "  skinbake compare hero.glb --clip run --methods lbs,dqs,cor\n"
      "  skinbake compare hero.glb --clip all --methods all --report methods.json\n"
      "  skinbake compare hero.glb --methods dqs:sign=first,scale=joint,cor --reference lbs\n"
      "  skinbake compare hero.glb --methods dqs --fail-volume-loss 5%\n"
      "  skinbake compare hero.glb --methods lbs,dqs -o '{mesh}.{method}.pc2'");
  command->callback([options] { run_compare(*options); });
}

}  // namespace skinbake::cli
