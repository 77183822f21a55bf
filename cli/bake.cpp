// `skinbake bake`: evaluates clips and writes vertex caches and a report.

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "jobs/options.h"
#include "jobs/run.h"
#include "jobs/summary.h"

namespace skinbake::cli {

void setup_bake(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<BakeOptions>();
  CLI::App* command =
      app.add_subcommand("bake", "Evaluate clips and write vertex caches and a report");
  add_bake_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  skinbake bake hero.glb --clip run --method dqs -o run.pc2\n"
      "  skinbake bake hero.glb --clip all -o '{mesh}.{clip}.pc2'\n"
      "  skinbake bake hero.glb --clip run -o run.glb\n"
      "  skinbake bake hero.glb --clip run -o run.mdd -o run.npy --verify\n"
      "  skinbake bake hero.glb --clip run --fps clip -o run.glb --format glb:normals=1\n"
      "  skinbake bake hero.glb --clip moves.glb#run -o run.pc2\n"
      "  skinbake bake hero.glb --method dqs --report run.json --fail volume.max_loss=5%\n"
      "  skinbake bake hero.glb --method dqs --report run.html --report run.xml --fail "
      "error.rms=1mm\n"
      "  skinbake bake hero.glb --profile unreal-4 --twist auto -o engine.pc2\n"
      "  skinbake bake hero.glb --json | jq .verdict");
  command->callback([options, command, &exit_code] {
    for (const char* option : {"--metrics", "--reference"}) {
      options->asks_to_measure |= command->count(option) > 0;
    }
    exit_code = run_bake(*options, {summary_text});
  });
}

}  // namespace skinbake::cli
