// Defines the options of `skinbake golden`.

#include "golden/options.h"
#include "comparison/golden_check.h"

#include <filesystem>
#include <memory>

#include "commands.h"
#include "options/choices.h"
#include "options/usage_error.h"
#include "report/surface_report.h"

namespace skinbake::cli {

namespace {

constexpr const char* kFooter =
    "A golden has the hash of every block of 16 frames and some vertices in every frame, about\n"
    "1 % of its cache. Identical caches are recognised by all their positions, and missing ones\n"
    "by the hash in their sidecar (CACHE.json). How far others are away is known of the sample,\n"
    "so a change outside it always fails. Without --fail error.max=LENGTH every position must be\n"
    "identical. The exit code is 1 if a cache differs, or is missing together with its sidecar.\n"
    "\n"
    "Examples:\n"
    "  skinbake golden jobs.json -o goldens\n"
    "  skinbake golden jobs.json --check goldens --fail error.max=0.01mm\n"
    "  skinbake golden baked/ -o goldens --rig hero.glb --quantum 1e-5\n"
    "  skinbake diff goldens/walk.pc2.golden walk.pc2";

void add_files(CLI::App& command, GoldenCommandOptions& o) {
  command
      .add_option("SOURCE", o.sources,
                  "Manifests, whose tasks are done first unless they are up to date; folders; "
                  "caches")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  CLI::Option* const output =
      command
          .add_option("-o,--output", o.output,
                      "Folder of the goldens to write: NAME.golden for each cache NAME")
          ->check(check_not_empty)
          ->type_name("FOLDER");
  command.add_option("--check", o.check, "Folder of the goldens to compare the caches with")
      ->check(check_not_empty)
      ->excludes(output)
      ->type_name("FOLDER");
}

void add_sample(CLI::App& command, GoldenCommandOptions& o) {
  command
      .add_option("--rig", o.rig,
                  "Rig of the caches, by whose joints the sampled vertices are chosen; a manifest "
                  "names its rigs")
      ->check(check_not_empty)
      ->type_name("FILE");
  command
      .add_option("--vertices", o.golden.vertices,
                  "Vertices of a sample; default: one of a hundred, at least 8, at most 64")
      ->check(whole(1, 65536))
      ->type_name("N");
  command
      .add_option("--quantum", o.golden.quantum_m,
                  "Round the positions of the sample to multiples of this many metres, which makes "
                  "goldens smaller")
      ->check(check_positive)
      ->type_name("METRES");
  add_threshold_options(command, o.thresholds, difference_sections());
}

}  // namespace

void setup_golden(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<GoldenCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "golden", "Sign caches, and check caches by their signatures, which fit into a repository");
  add_files(*command, *options);
  add_sample(*command, *options);
  add_report_options(*command, options->reports);
  add_load_options(*command, options->load);
  add_common_options(*command, *options);
  command->footer(kFooter);
  command->callback([options, &exit_code] { exit_code = run_golden(*options); });
}

}  // namespace skinbake::cli
