// Defines the options of inspect, convert and list.

#include "commands.h"

#include <memory>

#include "convert.h"
#include "inspect.h"
#include "list/list.h"
#include "options/option_groups.h"
#include "options/parsing/choices.h"

namespace skinbake::cli {

void setup_inspect(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect", "Show the content of a file and its issues");
  command->add_option("FILE", options->rig, "glTF file: .gltf, .glb or .vrm")
      ->required()
      ->type_name("");
  command->add_flag("--json", options->json, "Print JSON instead of text, also for a refused file");
  command->add_option("--fps", options->fps, "Rate at which the frames of clips are counted")
      ->check(check_frame_rate)
      ->type_name("F")
      ->capture_default_str();
  command
      ->add_option("--humanoid", options->humanoid,
                   "Humanoid map, instead of the one that is found: "
                   R"({"hips": "pelvis", "leftUpperLeg": "#12", ...})")
      ->type_name("FILE");
  command
      ->add_option("--clip", options->clips.clips,
                   "Clip of --pose-json and --limits, as in skinbake bake")
      ->check(check_not_empty)
      ->type_name("ID|FILE[#ID]|poses:FILE")
      ->expected(1);
  command->add_flag("--pose-json", options->pose_json,
                    "Print the pose of a human body at --at, as bake --clip poses:FILE reads it");
  command->add_option("--at", options->at_s, "Instant of --pose-json")->type_name("SECONDS");
  command->add_flag("--limits", options->limits,
                    "Print the muscles of a human body that leave their range, by how many degrees "
                    "and in which frames");
  add_t_pose_option(*command, "--t-pose", options->clips.retarget.t_pose,
                    "T-pose: rest, auto (limbs straightened), or an instant of a clip");
  add_strict_option(*command, options->strict);
  add_load_options(*command, options->load);
  command->footer(
      "Examples:\n"
      "  skinbake inspect hero.glb\n"
      "  skinbake inspect hero.glb --humanoid bones.json\n"
      "  skinbake inspect hero.glb --fps 60\n"
      "  skinbake inspect hero.glb --clip run --at 1.2 --pose-json > run.json\n"
      "  skinbake inspect hero.glb --clip run --limits\n"
      "  skinbake inspect hero.glb --json --strict");
  command->callback([options, &exit_code] { exit_code = run_inspect(*options); });
}

void setup_convert(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "Write a cache in another format");
  command->add_option("FROM", options->from, "Cache to read (skinbake list formats)")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  command
      ->add_option(
          "TO", options->to,
          "Cache to write; the extension selects the format, one that does not need a rig: "
          ".pc2, .mdd or .npy")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  command
      ->add_option("--fps", options->fps,
                   "Frames per second; default: by the sidecar or the cache (MDD needs them)")
      ->check(check_frame_rate)
      ->type_name("F");
  command
      ->add_option(
          "--mesh", options->mesh,
          "Mesh of a GLB of several: its name or '#node'; default: all, one after another; "
          "a cache of another format must have this mesh by its sidecar; without a sidecar, --mesh "
          "has no effect")
      ->check(check_not_empty)
      ->type_name("ID");
  add_precision_option(*command, options->half);
  command->add_flag("--verify", options->verify,
                    "Read the cache back before it gets its name and compare; exit 4 if the "
                    "difference exceeds the format's bound");
  add_max_memory_option(*command);
  command->add_flag("--sync", options->sync, "Call fsync on the cache before it gets its name");
  add_strict_option(*command, options->strict);
  add_common_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  skinbake convert walk.pc2 walk.npy\n"
      "  skinbake convert walk.npy walk.mdd --fps 24 --verify");
  command->callback([options, &exit_code] { exit_code = run_convert(*options); });
}

void setup_list(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command =
      app.add_subcommand("list", "List the methods, formats, metrics or instruction sets");
  command->add_option("TOPIC", options->topic, "methods, formats, metrics or targets")
      ->required()
      ->transform(one_of({"methods", "formats", "metrics", "targets"}))
      ->type_name("");
  command->add_flag("--json", options->json, "Print JSON instead of text");
  command->footer(
      "Examples:\n"
      "  skinbake list methods\n"
      "  skinbake list formats --json");
  command->callback([options, &exit_code] { exit_code = run_list(*options); });
}

}  // namespace skinbake::cli
