// Defines the options of `skinbake retarget`.

#include "retarget/options.h"

#include <memory>

#include "clips/retarget_options.h"
#include "commands.h"
#include "options/parsing/choices.h"
#include "retarget/run.h"

namespace skinbake::cli {

namespace {

void add_inputs(CLI::App& command, RetargetCommandOptions& o) {
  command
      .add_option("CLIP", o.clip_file,
                  "File of the clip: .gltf, .glb, .vrm, .vrma, or FILE#ID for one of its clips; if "
                  "RIG is left out, this is the rig, and --clip names the clip")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  command.add_option("RIG", o.rig, "glTF file that gets the clip: .gltf, .glb or .vrm")
      ->check(check_not_empty)
      ->type_name("");
  repeatable(
      command
          .add_option(
              "--clip", o.clips.clips,
              "Clip of CLIP: its name, '#index', 'all', or a pattern ('Idle*'; '!Idle*' omits); "
              "may be repeated; default: the only one. Without CLIP as in skinbake bake: rom, "
              "rom:arms, rom:legs, rom:spine, "
              "rom:hands: the range of motion of a human body; poses:FILE: the poses of a JSON "
              "file; a clip of the rig with --mirror or --root-motion")
          ->check(check_not_empty)
          ->type_name("ID|rom[:PART]|poses:FILE"));
  add_map_option(command, o.clips);
  add_retarget_options(command, o.clips);
}

}  // namespace

void setup_retarget(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RetargetCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "retarget", "Write a rig with the clip of another character, as a skinned GLB");
  add_inputs(*command, *options);
  add_rate_options(*command, options->frames);
  command
      ->add_option("-o,--output", options->output,
                   "GLB to write (.glb, or .vrm for an avatar): the rig with its buffers and "
                   "images, and the clip "
                   "as a further animation")
      ->required()
      ->check(check_not_empty)
      ->type_name("PATH");
  command
      ->add_option("--depfile", options->depfile,
                   "Dependency file for Make and Ninja: a rule from the output to the files that "
                   "were read")
      ->check(check_file)
      ->type_name("PATH");
  command->add_flag("--sync", options->sync, "Call fsync on the output before it gets its name");
  add_common_options(*command, *options);
  add_strict_option(*command, options->strict);
  add_load_options(*command, options->load);
  command->footer(
      "Examples:\n"
      "  skinbake retarget run.glb hero.glb -o hero_run.glb\n"
      "  skinbake retarget moves.glb hero.glb --clip all --root-motion in-place -o hero_moves.glb\n"
      "  skinbake retarget dance.vrma avatar.vrm --fps 60 -o avatar_dance.glb\n"
      "  skinbake retarget hero.glb --clip rom:arms -o hero_rom.glb\n"
      "  skinbake retarget hero.glb --clip walk --mirror -o hero_walks.glb");
  command->callback([options, &exit_code] { exit_code = run_retarget(*options); });
}

}  // namespace skinbake::cli
