// Defines the options of `skinbake compare`.

#include "compare/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "commands.h"
#include "options/parsing/choices.h"

namespace skinbake::cli {

namespace {

void add_compare_options(CLI::App& command, CompareOptions& options) {
  add_explain_option(command, options.explained, "errors of each method");
  command.add_flag(
      "--recommend", options.recommends,
      "Recommend the cheapest method within the limits of --fail; exit 1 if there is none");
}

}  // namespace

void setup_compare(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  options->command = "compare";
  options->methods = {"lbs", "dqs"};
  options->per_vertex = PerVertex::kNone;
  CLI::App* command =
      app.add_subcommand("compare", "Measure several methods on the same frames, in one pass");
  add_bake_options(*command, *options);
  add_compare_options(*command, *options);
  command->footer(
      "Methods are ranked by their change of volume, or by their rms error if the reference is "
      "not\n"
      "one of them. cost: time relative to linear blending. pareto: no other method is at least "
      "as\n"
      "cheap and as good, and better in one of the two.\n"
      "\n"
      "Examples:\n"
      "  skinbake compare hero.glb --clip run --method lbs --method dqs --method cor\n"
      "  skinbake compare hero.glb --clip all --method all --report methods.json\n"
      "  skinbake compare hero.glb --method dqs:sign=first,scale=joint --method cor --reference "
      "lbs\n"
      "  skinbake compare hero.glb --report methods.html --per-vertex json\n"
      "  skinbake compare hero.glb --fail volume.max_loss=5%@dqs --report out.xml\n"
      "  skinbake compare hero.glb --reference golden.pc2 --fail error.max=0.1mm\n"
      "  skinbake compare hero.glb --explain 3\n"
      "  skinbake compare hero.glb --method all --recommend --fail volume.max_loss=5%\n"
      "  skinbake compare hero.glb --profile unity-4 --profile unreal-4\n"
      "  skinbake compare hero.glb -o '{mesh}.{method}.pc2'");
  command->callback([options, &exit_code] { exit_code = run_compare(*options); });
}

}  // namespace skinbake::cli
