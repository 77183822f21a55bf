// Defines the options of `skinbake fit`.

#include "fit/options.h"

#include <memory>

#include "commands.h"
#include "options/choices.h"
#include "options/usage_error.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

namespace {

void add_target(CLI::App& command, FitOptions& o) {
  command.add_option("RIG", o.rig, "glTF file with a skinned mesh: .gltf, .glb or .vrm")
      ->required()
      ->check(reads_file())
      ->type_name("");
  repeatable(command.add_option("--clip", o.clips,
                                "Clip: name, '#index', 'all' or pattern ('!Idle*' omits); "
                                "repeatable; default: the only one"))
      ->check(check_not_empty)
      ->type_name("ID");
  repeatable(command.add_option("--mesh", o.meshes,
                                "Mesh node: name, '#node' or pattern ('Arm*'; '!Sword' omits); "
                                "repeatable; default: all skinned"))
      ->type_name("ID");
  CLI::Option* const method =
      command
          .add_option("-m,--method", o.method,
                      "Skinning method to reproduce by linear blending (skinbake list methods)")
          ->type_name("NAME")
          ->capture_default_str();
  repeatable(command.add_option("--target", o.targets,
                                "Cache to reproduce instead of a method, one for each clip; {mesh} "
                                "and {clip} become ids; repeatable"))
      ->check(reads_file())
      ->check(expands())
      ->type_name("CACHE")
      ->excludes(method);
  add_joint_params_option(command, o.joint_params);
}

void add_bound(CLI::App& command, FitOptions& o) {
  repeatable(command
                 .add_option_function<std::vector<std::string>>(
                     "--max-error",
                     [&o](const std::vector<std::string>& texts) {
                       for (const std::string& text : texts) {
                         const Limit limit = parse_limit("--max-error", Unit::kMetres, text);
                         if (!(limit.value > 0)) {
                           throw UsageError("--max-error", "must be above 0, not " + text);
                         }
                         (limit.is_relative ? o.max_error_relative : o.max_error_m) = limit.value;
                       }
                     },
                     "Largest distance of a vertex from the target: 1mm, or 0.05% of the bind "
                     "diagonal")
                 ->type_name("LENGTH|P%")
                 ->group("Bound"));
  CLI::Option* const fixed = command
                                 .add_option("--correctives", o.correctives,
                                             "Number of correctives, fewer if more change nothing; "
                                             "default: the fewest within --max-error")
                                 ->check(whole(0, 4096))
                                 ->type_name("K")
                                 ->group("Bound");
  command
      .add_option("--max-correctives", o.max_correctives, "Largest number of correctives to try")
      ->check(whole(0, 4096))
      ->type_name("K")
      ->capture_default_str()
      ->excludes(fixed)
      ->group("Bound");
  command
      .add_option_function<std::string>(
          "--influences",
          [&o](const std::string& text) {
            const Modifier modifier = parse_modifier("influences", text);
            const auto* fit = std::get_if<FitInfluences>(&modifier);
            if (fit == nullptr) {
              throw UsageError("--influences", "'" + text + "': write N:fit, for example 4:fit");
            }
            o.influences = *fit;
          },
          "Keep at most N influences of each vertex, fitted to the target in the clips or a range "
          "of motion")
      ->type_name("N:fit[=clips|rom|rom:PART]")
      ->group("Bound");
  command
      .add_option("--helpers", o.helpers,
                  "Largest number of helper joints to add before correctives, for large twists")
      ->check(whole(0, 64))
      ->type_name("N")
      ->capture_default_str()
      ->group("Bound");
  command
      .add_flag("--best-effort", o.best_effort,
                "Write the output even if the error exceeds the bound; the exit code is 1")
      ->group("Bound");
}

void add_files(CLI::App& command, FitOptions& o) {
  command
      .add_option("-o,--output", o.output,
                  "GLB to write (.glb, or .vrm for an avatar): the rig with the correctives")
      ->required()
      ->check(writes_file())
      ->type_name("PATH");
  repeatable(
      command.add_option(
          "--format", o.formats,
          "Format options (skinbake list formats): glb:quantize=1,bits=14,meshopt=1; repeatable"))
      ->type_name("glb:NAME=VALUE");
  command.add_flag("--normals", o.normals,
                   "Let correctives also change the mesh's normals, which doubles their bytes");
  command.add_flag("--verify", o.verify,
                   "Read the output back and measure it again; exit 4 if its error is larger");
  add_report_options(command, o.reports);
  add_view_option(command, o.reports)
      ->description("Show the mesh before and after, beside the target, in 3D in the HTML report");
  add_depfile_option(command, o.depfile);
  add_sync_option(command, o.sync);
  add_bind_cache_option(command, o.bind_cache);
}

}  // namespace

void setup_fit(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FitOptions>();
  CLI::App* command = app.add_subcommand(
      "fit", "Write a rig whose morph targets make linear blending reproduce another method");
  add_target(*command, *options);
  add_rate_options(*command, options->frames);
  add_bound(*command, *options);
  add_files(*command, *options);
  add_common_options(*command, *options);
  add_strict_option(*command, options->strict);
  add_load_options(*command, options->load);
  command->footer(
      "Examples:\n"
      "  skinbake fit hero.glb --clip run --method dqs --max-error 0.001 -o hero_fit.glb\n"
      "  skinbake fit hero.glb --clip all --max-error 0.05% -o hero_fit.glb\n"
      "  skinbake fit hero.glb --clip run --method ddm --correctives 16 -o hero_fit.glb\n"
      "  skinbake fit hero.glb --max-error 0.001 -o hero_fit.glb --format "
      "glb:quantize=1,meshopt=1\n"
      "  skinbake fit hero.glb --clip run --target cloth.pc2 --max-error 0.002 -o hero_fit.glb\n"
      "  skinbake fit hero.glb --clip run --correctives 0 --helpers 8 -o hero_fit.glb\n"
      "  skinbake fit hero.glb --clip all -m lbs --influences 4:fit --correctives 0 -o four.glb\n"
      "  skinbake fit hero.glb --max-error 0.001 -o hero_fit.glb --verify --report fit.json\n"
      "  skinbake fit hero.glb --max-error 1mm -o hero_fit.glb --report fit.html --view");
  command->callback([options, &exit_code] { exit_code = run_fit(*options); });
}

}  // namespace skinbake::cli
