// Defines the options of `skinbake compare`.

#include "compare/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "commands.h"
#include "options/parsing/choices.h"
#include "options/parsing/usage_error.h"
#include "options/recommend_limits.h"
#include "surfaces/options.h"

namespace skinbake::cli {

namespace {

std::vector<std::string> parse_lods(const std::string& list) {
  std::vector<std::string> files;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    files.push_back(list.substr(start, end - start));
    if (files.back().empty())
      throw UsageError("--lods", "a file name is missing in '" + list + "'");
    start = end + 1;
  }
  return files;
}

void add_compare_options(CLI::App& command, CompareOptions& options) {
  const char* const levels = "Levels of detail";
  command
      .add_option_function<std::string>(
          "--lods", [&options](const std::string& list) { options.lods = parse_lods(list); },
          "Compare levels of detail instead of methods: a table of how far their surfaces "
          "are from the rig's, at rest and in every clip")
      ->type_name("FILE,…")
      ->group(levels);
  add_sampling_options(command, options.sampling, options.overlap, levels);
  add_explain_option(command, options.explained, "errors of each method");
  command
      .add_flag("--recommend", options.recommends,
                "Recommend the cheapest method within the limits below; exit 1 if there is none")
      ->group("Recommendation");
  add_recommend_limits(command, options.limits);
}

// Surfaces have points where meshes have vertices.
void name_points(CLI::App& command) {
  for (const std::string kind : {"fail", "warn"}) {
    command.get_option("--" + kind + "-percent")
        ->description("With --" + kind +
                      "-max: P per cent of the vertices, with --lods of the sampled points, may "
                      "exceed it in each frame");
  }
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
  name_points(*command);
  command->footer(
      "Methods are ranked by their change of volume, or by their rms error if the reference is "
      "not\n"
      "one of them. cost: time relative to linear blending. pareto: no other method is at least "
      "as\n"
      "cheap and as good, and better in one of the two.\n"
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
      "  skinbake compare hero.glb --methods lbs,dqs -o '{mesh}.{method}.pc2'\n"
      "  skinbake compare hero.glb --lods hero_lod1.glb,hero_lod2.glb --fail-max-relative 2%");
  command->callback([options, command, &exit_code] {
    for (const CLI::Option* option : command->get_options()) {
      if (option->count() > 0) options->typed.insert(option->get_name());
    }
    exit_code = run_compare(*options);
  });
}

}  // namespace skinbake::cli
