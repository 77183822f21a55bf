// Defines the options of `skinbake merge`.

#include "merge/options.h"

#include <memory>

#include "commands.h"
#include "options/parsing/choices.h"

namespace skinbake::cli {

void setup_merge(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MergePartsOptions>();
  CLI::App* command = app.add_subcommand(
      "merge", "Put together the caches, or the reports, of a clip that was baked in ranges");
  command
      ->add_option("PART", options->parts,
                   "PC2, MDD or NPY caches of one format, or JSON reports, in any order")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  command->add_option("-o,--output", options->output, "The whole, of the same format as the parts")
      ->required()
      ->check(check_file)
      ->type_name("PATH");
  repeatable(
      command
          ->add_option(
              "--cache", options->caches,
              "Merged cache that the merged report names instead of those of its parts; may be "
              "repeated")
          ->check(check_not_empty)
          ->type_name("PATH"));
  command
      ->add_option("--frames", options->frames,
                   "Frames that the whole has, both ends included; by default, all of the clip")
      ->type_name("A:B[:STEP]");
  add_max_memory_option(*command, options->max_memory);
  command->add_flag("--sync", options->sync, "Call fsync on the output before it gets its name");
  add_common_options(*command, *options);
  command->footer(
      "Every part must be of one rig, clip, method and frame rate, and every frame must be there\n"
      "once. Caches are read with their sidecars (PART.json), reports must be written with "
      "--part.\n"
      "The bytes of the output are those of one run. The exit code is 1 if a threshold of the\n"
      "reports is exceeded.\n"
      "\n"
      "Examples:\n"
      "  skinbake bake crowd.glb --frames 0:49999 -o a.pc2 --report a.json --part\n"
      "  skinbake bake crowd.glb --frames 50000: -o b.pc2 --report b.json --part\n"
      "  skinbake merge a.pc2 b.pc2 -o crowd.pc2\n"
      "  skinbake merge a.json b.json --cache crowd.pc2 -o crowd.json");
  command->callback([options, &exit_code] { exit_code = run_merge(*options); });
}

}  // namespace skinbake::cli
