// Defines the options of `skinbake bake`, most of which `skinbake compare` has too.

#include "jobs/options.h"

#include <memory>

#include "caches/format_list.h"
#include "jobs/run.h"
#include "jobs/summary.h"
#include "options/choices.h"

namespace skinbake::cli {

namespace {

void add_method(CLI::App& command, BakeOptions& o) {
  if (o.command == "bake") {
    command.add_option("-m,--method", o.methods.front(), "Skinning method (skinbake list methods)")
        ->type_name("NAME[:key=value,…]")
        ->capture_default_str();
    return;
  }
  repeatable(command
                 .add_option("-m,--method", o.methods,
                             "Skinning method (skinbake list methods), or 'all'; repeatable")
                 ->type_name("NAME[:key=value,…]")
                 ->default_str("lbs, dqs"));
}

void add_what(CLI::App& command, BakeOptions& o) {
  command.add_option("FILE", o.rig, "glTF file: .gltf, .glb or .vrm")
      ->required()
      ->check(reads_file())
      ->type_name("");
  repeatable(command
                 .add_option("--clip", o.clips.clips,
                             "Clip: name, '#index', 'all' or pattern ('!Idle*' omits); rom: a "
                             "range of motion; repeatable")
                 ->check(may_read_file())
                 ->type_name("ID|FILE[#ID]|rom[:PART]|poses:FILE"));
  repeatable(command
                 .add_option("--mesh", o.meshes,
                             "Mesh node: name, '#node' or pattern ('Arm*'; '!Sword' omits); "
                             "repeatable; default: all")
                 ->type_name("ID"));
  add_method(command, o);
  add_joint_params_option(command, o.joint_params);
  add_frame_options(command, o.frames);
}

void add_caches(CLI::App& command, BakeOptions& o) {
  repeatable(command
                 .add_option("-o,--output", o.outputs,
                             "Cache to write; the extension selects the format; {mesh}, {clip}, "
                             "{method} become ids; repeatable")
                 ->check(writes_file_or_stdout())
                 ->check(expands())
                 ->type_name("PATH"));
  repeatable(command
                 .add_option("--format", o.formats,
                             "Format options (skinbake list formats): "
                             "glb:quantize=1,bits=14,meshopt=1; repeatable")
                 ->type_name("ID:NAME=VALUE"));
  add_precision_option(command, o.half);
  add_choice<CacheAxes::Up>(command, "--up", o.axes.up,
                            {{"y", CacheAxes::Up::kY}, {"z", CacheAxes::Up::kZ}},
                            "Up axis of the caches; z: (x, y, z) is written as (x, -z, y)", "y");
  add_choice<std::optional<NormalKind>>(
      command, "--normals", o.normals,
      {{"skinned", NormalKind::kSkinned}, {"geometric", NormalKind::kGeometric}},
      "Normals of caches with normals=1; skinned: transformed by the method; geometric: of posed "
      "triangles",
      "skinned");
  command
      .add_option("--scale", o.axes.scale,
                  "Units per metre in the caches; 100: centimetres, as in Maya")
      ->check(check_scale)
      ->type_name("X")
      ->capture_default_str();
  add_choice<bool>(
      command, "--end", o.exact_end, {{"frame", false}, {"exact", true}},
      "Last frame of the caches; exact: the end of the clip, also between two frames (" +
          formats_with_times() + ")",
      "frame");
  command.add_flag(
      "--verify", o.verify,
      "Read every cache back and compare it; exit 4 if the difference exceeds the format's bound");
}

void add_reports(CLI::App& command, BakeOptions& o) {
  add_report_options(command, o.reports);
  add_view_option(command, o.reports);
}

void add_measurements(CLI::App& command, BakeOptions& o) {
  command
      .add_option(
          "--reference", o.reference,
          "Reference of errors: exact (double precision), a method or a cache; default: " +
              std::string(o.command == "bake" ? "lbs, or exact for lbs" : "the first --method"))
      ->check(may_read_file())
      ->check(expands())
      ->type_name("exact|METHOD|CACHE");
  add_choice<Baseline>(
      command, "--baseline", o.baseline,
      {{"bind", Baseline::kBind},
       {"rest", Baseline::kRest},
       {"first-frame", Baseline::kFirstFrame}},
      "Undeformed pose that metrics of shape, such as volume and edge_stretch, compare with",
      "bind");
  add_metrics_option(command, o.metrics);
  add_per_vertex_option(command, o.per_vertex);
  command.add_flag_function(
      "--no-body", [&o](std::int64_t) { o.body = false; },
      "Do not also measure all meshes of a skeleton as a single mesh");
  add_error_matrix_option(command, o.error_matrix, "; {mesh}, {clip}, {method} become ids");
}

void add_build_files(CLI::App& command, BakeOptions& o) {
  add_depfile_option(command, o.depfile);
  command.add_option("--timing", o.timing, "Write the times of this run to a JSON file")
      ->check(writes_file())
      ->type_name("PATH");
  command.add_flag("--keep", o.keep,
                   "Write the caches even if the exit code is 1; the report is always written");
  add_sync_option(command, o.sync);
}

void add_trust(CLI::App& command, BakeOptions& o) {
  add_bind_cache_option(command, o.bind_cache);
  add_strict_option(command, o.strict);
  add_load_options(command, o.load);
}

}  // namespace

void add_bake_options(CLI::App& command, BakeOptions& options) {
  add_what(command, options);
  const bool side_by_side = options.command == "compare";
  add_modifier_options(command, options.modifiers, side_by_side ? &options.profiles : nullptr);
  add_caches(command, options);
  add_reports(command, options);
  add_measurements(command, options);
  add_build_files(command, options);
  add_common_options(command, options);
  add_trust(command, options);
  add_threshold_options(command, options.thresholds);
}

}  // namespace skinbake::cli
