// Defines the options of `skinbake diff`.

#include "diff/options.h"

#include <memory>
#include <tuple>

#include "commands.h"
#include "options/choices.h"
#include "report/surface_report.h"

namespace skinbake::cli {

namespace {

void add_sides(CLI::App& command, DiffOptions& o) {
  command
      .add_option("A", o.a,
                  "Reference: a cache, rig (.gltf, .glb, .vrm), folder, or manifest "
                  "of skinbake batch")
      ->required()
      ->check(reads_file())
      ->type_name("");
  command.add_option("B", o.b, "Cache, rig, folder or manifest to compare with A")
      ->required()
      ->check(reads_file())
      ->type_name("");
  command
      .add_option("--rig", o.rig,
                  "Rig whose bind pose scales relative errors; default: A or B if it is a rig, "
                  "else A's first frame")
      ->check(reads_file())
      ->type_name("FILE");
}

CLI::Option* add_repeatable(CLI::App& command, const char* option, std::vector<std::string>& values,
                            const std::string& help, const char* type, const char* group) {
  return repeatable(command.add_option(option, values, help)
                        ->check(check_not_empty)
                        ->type_name(type)
                        ->group(group));
}

void add_evaluation(CLI::App& command, DiffOptions& o) {
  const char* const group = "Options of a rig";
  add_repeatable(command, "--clip", o.clips,
                 "Clip: name, '#index', 'all' or pattern ('!Idle*' omits); clips of two rigs pair "
                 "by name; repeatable",
                 "ID|FILE[#ID]", group)
      ->check(may_read_file());
  add_repeatable(command, "--mesh", o.meshes,
                 "Mesh node: name, '#node' or pattern ('Arm*'; '!Sword' omits); repeatable; "
                 "default: the only one",
                 "ID", group);
  command.add_option("-m,--method", o.method, "Skinning method (skinbake list methods)")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  add_frame_options(command, o.frames, group);
  add_explain_option(command, o.explained, "errors", group);
}

void add_match(CLI::App& command, DiffOptions& o) {
  const char* const group = "Vertices that do not pair by index";
  add_choice<Match>(command, "--match", o.plan.match,
                    {{"index", Match::kIndex},
                     {"order", Match::kOrder},
                     {"surface", Match::kSurface},
                     {"auto", Match::kAuto}},
                    "Pair by index; order: same vertices, reordered; surface: by closest points; "
                    "auto: first that fits",
                    "index")
      ->group(group);
  add_sampling_options(command, o.plan.sampling, o.overlap, group);
  command
      .add_flag("--hausdorff", o.hausdorff,
                "Also measure the Hausdorff distance of the surfaces in every frame, to 0.01 % of "
                "the diagonal")
      ->group(group);
  for (auto& [option, rig, side] :
       {std::tuple<const char*, std::string*, const char*>{"--rig-a", &o.rig_a, "A"},
        {"--rig-b", &o.rig_b, "B"}}) {
    command.add_option(option, *rig, std::string("Rig of ") + side + ", if it is a cache")
        ->check(reads_file())
        ->type_name("FILE")
        ->group(group);
  }
}

void add_library(CLI::App& command, DiffOptions& o) {
  const char* const group = "Libraries: folders, manifests, or rigs with several clips";
  add_repeatable(command, "--clip-b", o.clips_b, "B's name for each --clip, in the same order",
                 "ID", group);
  add_repeatable(
      command, "--mesh-b", o.meshes_b,
      "B's name for each --mesh, in the same order; with another --match: meshes of B's surface",
      "ID", group);
  command
      .add_option("--map", o.map,
                  "JSON file that pairs files (without extension), meshes and clips: {\"name in "
                  "A\": \"name in B\"}")
      ->check(reads_file())
      ->type_name("FILE")
      ->group(group);
  command
      .add_flag("--fail-missing", o.fail_missing,
                "Exit 1 if only one side has a file, a mesh or a clip")
      ->group(group);
  command.add_option("--top", o.top, "Number of rows to print, largest errors first")
      ->check(whole(0, 1'000'000))
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
}

void add_results(CLI::App& command, DiffOptions& o) {
  add_report_options(command, o.reports);
  add_view_option(command, o.reports);
  add_per_vertex_option(command, o.per_vertex);
  add_error_matrix_option(command, o.error_matrix);
}

void add_diff_options(CLI::App& command, DiffOptions& options) {
  add_sides(command, options);
  add_evaluation(command, options);
  add_match(command, options);
  add_library(command, options);
  add_results(command, options);
  add_common_options(command, options);
  add_strict_option(command, options.strict);
  add_load_options(command, options.load);
  add_threshold_options(command, options.thresholds, difference_sections());
}

}  // namespace

void setup_diff(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand(
      "diff", "Compare caches, rigs, folders or manifests, frame by frame and vertex by vertex");
  add_diff_options(*command, *options);
  command->footer(
      "A rig instead of a cache is evaluated into a temporary file ($TMPDIR). A cache written "
      "with\n"
      "--up or --scale is converted to metres, +Y up, according to its sidecar. Without a "
      "threshold,\n"
      "any difference is exit code 1; a position that is not a number always is.\n"
      "\n"
      "Examples:\n"
      "  skinbake diff golden.pc2 new.pc2 --fail error.max=0.1mm\n"
      "  skinbake diff golden.pc2 new.pc2 --fail error.max=0.1mm,share=0.1% --fail error.max=1cm\n"
      "  skinbake diff golden.pc2 hero.glb --clip run --method dqs --fail error.max=0.01%\n"
      "  skinbake diff golden.pc2 new.pc2 --fail error.max=0.1mm --report diff.xml --report "
      "diff.html\n"
      "  skinbake diff hero.glb hero_lod1.glb --match surface --fail error.max=1%\n"
      "  skinbake diff hero.glb hero_packed.glb --match auto --report packed.html\n"
      "  skinbake diff golden/ baked/ --fail error.max=0.1mm --fail-missing\n"
      "  skinbake diff before/hero.glb after/hero.glb --clip all --mesh '!Sword'");
  command->callback([options, command, &exit_code] {
    for (const CLI::Option* option : command->get_options()) {
      if (option->count() > 0) options->typed.insert(option->get_name());
    }
    exit_code = run_diff(*options);
  });
}

}  // namespace skinbake::cli
