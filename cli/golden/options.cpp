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

constexpr const char* kGoldenFooter =
    "A golden stores the hash of every block of 16 frames, and sampled vertices in every frame:\n"
    "about 1 % of its cache. The hashes compare all positions. If a cache is missing, the hash in\n"
    "its sidecar (CACHE.json) is compared. Only sampled vertices have distances, so a change of\n"
    "another vertex always fails. Without --fail error.max=LENGTH every position must be\n"
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
                  "Caches, folders, or manifests, whose outdated tasks are done first")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  CLI::Option* const output =
      command
          .add_option("-o,--output", o.output,
                      "Folder to write goldens to: NAME.golden for each cache NAME")
          ->check(check_not_empty)
          ->type_name("FOLDER");
  command.add_option("--check", o.check, "Folder of the goldens to compare the caches with")
      ->check(check_not_empty)
      ->excludes(output)
      ->type_name("FOLDER");
}

void add_sample(CLI::App& command, GoldenCommandOptions& o) {
  command
      .add_option(
          "--rig", o.rig,
          "Rig of the caches, whose joints select the sampled vertices; a manifest names its rigs")
      ->check(check_not_empty)
      ->type_name("FILE");
  command
      .add_option("--vertices", o.golden.vertices,
                  "Number of sampled vertices; default: one in a hundred, at least 8, at most 64")
      ->check(whole(1, 65536))
      ->type_name("N");
  command
      .add_option("--quantum", o.golden.quantum_m,
                  "Round sampled positions to multiples of METRES, which makes goldens smaller")
      ->check(check_positive)
      ->type_name("METRES");
  add_threshold_options(command, o.thresholds, difference_sections());
}

}  // namespace

void setup_golden(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<GoldenCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "golden", "Write small signatures of caches (goldens), and check caches against them");
  add_files(*command, *options);
  add_sample(*command, *options);
  add_report_options(*command, options->reports);
  add_load_options(*command, options->load);
  add_common_options(*command, *options);
  command->footer(kGoldenFooter);
  command->callback([options, &exit_code] { exit_code = run_golden(*options); });
}

}  // namespace skinbake::cli
