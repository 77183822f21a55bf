#include "bake_options.h"

#include <cmath>

#include "choices.h"
#include "format_options.h"
#include "method_list.h"

namespace skinbake::cli {

namespace {

std::string a_scale(const std::string& text) {
  const std::string wrong = positive(text);
  double value = 1;
  const bool has_inverse = !CLI::detail::lexical_cast(text, value) || std::isfinite(1 / value);
  return wrong.empty() && !has_inverse ? "must be a number above 0" : wrong;
}

void add_method(CLI::App& command, BakeOptions& o) {
  if (o.command == "bake") {
    command.add_option("-m,--method", o.methods.front(), "Skinning method (skinbake list methods)")
        ->type_name("NAME")
        ->capture_default_str();
    return;
  }
  command
      .add_option_function<std::string>(
          "-m,--methods", [&o](const std::string& list) { o.methods = split_methods(list); },
          "Skinning methods (skinbake list methods), each with its parameters, or 'all'")
      ->type_name("NAME[:key=value,…],…")
      ->default_str(joined(o.methods));
}

void add_what(CLI::App& command, BakeOptions& o) {
  command.add_option("rig", o.rig, "glTF file: .gltf, .glb or .vrm")
      ->required()
      ->check(not_empty)
      ->type_name("FILE");
  command
      .add_option(
          "--clip", o.clip,
          "Clip: its name, '#index', or 'all'; default: the only one. FILE or FILE#ID: from "
          "another file, matched by node name")
      ->check(not_empty)
      ->type_name("ID|FILE[#ID]");
  command
      .add_option("--map", o.map,
                  "JSON object of node names for --clip FILE: {\"in the rig\": \"in the clip\"}")
      ->check(not_empty)
      ->type_name("FILE");
  command
      .add_option("--mesh", o.meshes,
                  "Mesh node: its name or '#node'; may be repeated; default: all")
      ->type_name("ID")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_method(command, o);
  command
      .add_option("--joint-params", o.joint_params,
                  "JSON file with numbers for single joints, of the methods sbs-core to sbs-conic: "
                  "{\"elbow\": {\"r0\": 0.05, \"r1\": 0.04, \"s\": 0.5}}")
      ->check(not_empty)
      ->type_name("FILE");
  add_frame_options(command, o.frames, o.command == "bake" ? AutoFps::kYes : AutoFps::kNo);
}

void add_outputs(CLI::App& command, BakeOptions& o) {
  command
      .add_option("-o,--output", o.outputs,
                  "Cache; the extension picks the format (skinbake list formats); {mesh}, "
                  "{clip} and {method} stand for their ids; may be repeated: one evaluation, many "
                  "outputs")
      ->check(not_empty)
      ->type_name("PATH")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option(
          "--format", o.formats,
          "Options of a format (skinbake list formats): glb:quantize=1,bits=14,meshopt=1; may be "
          "repeated")
      ->type_name("ID:NAME=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_precision_option(command, o.half);
  add_choice<CacheAxes::Up>(
      command, "--up", o.axes.up, {{"y", CacheAxes::Up::kY}, {"z", CacheAxes::Up::kZ}},
      "Axis that points up in caches; z: (x, y, z) is written as (x, -z, y)", "y");
  add_choice<std::optional<NormalKind>>(
      command, "--normals", o.normals,
      {{"skinned", NormalKind::kSkinned}, {"geometric", NormalKind::kGeometric}},
      "Normals of caches that keep some (--format glb:normals=1, usda:normals=1, vat:normals=1): "
      "the mesh's own, turned by the method, or "
      "those of the posed triangles, weighted by their angles",
      "skinned");
  command
      .add_option("--scale", o.axes.scale,
                  "Units per metre in caches: what is written is X times the position; 100: "
                  "centimetres, as Maya has them")
      ->check(a_scale)
      ->type_name("X")
      ->capture_default_str();
  command.add_flag(
      "--verify", o.verify,
      "Read every cache back, before it gets its name, and compare it with the frames, "
      "computed once more; exit 4 if it is beyond its format's bound");
  command.add_option("--report", o.report, "JSON report; '-': standard output")
      ->check(not_empty)
      ->type_name("PATH");
  add_page_options(command, o.pages);
  add_view_option(command, o.pages);
  command.add_flag("--json", o.json, "The report on standard output, and nothing else there");
  command
      .add_option(
          "--reference", o.reference,
          "What errors are measured against: 'exact' (the same method in double), a method, or a "
          "cache, with {mesh} and {clip} for several; default: " +
              std::string(o.command == "bake" ? "lbs, or exact for lbs" : "the first of --methods"))
      ->check(not_empty)
      ->type_name("exact|METHOD|CACHE");
  add_choice<Baseline>(command, "--baseline", o.baseline,
                       {{"bind", Baseline::kBind},
                        {"rest", Baseline::kRest},
                        {"first-frame", Baseline::kFirstFrame}},
                       "The pose that volumes are compared with", "bind");
  add_metrics_option(command, o.metrics);
  add_in_between_option(command, o.in_between_limit_m);
  add_per_vertex_option(command, o.per_vertex);
  add_error_matrix_option(command, o.error_matrix,
                          "; {mesh}, {clip} and {method} stand for their ids");
  command.add_option("--depfile", o.depfile, "Make-style list of the files that were read")
      ->check(a_file)
      ->type_name("PATH");
  command.add_option("--timing", o.timing, "JSON file with this run's times")
      ->check(a_file)
      ->type_name("PATH");
  command.add_flag("--sync", o.sync, "fsync outputs before they get their names");
}

void add_trust(CLI::App& command, BakeOptions& o) {
  command
      .add_option("--bind-cache", o.bind_cache,
                  "Folder that keeps what methods work out once for a mesh, for later runs")
      ->check(not_empty)
      ->type_name("DIR");
  add_strict_option(command, o.strict);
  add_load_options(command, o.load);
}

}  // namespace

void add_bake_options(CLI::App& command, BakeOptions& options) {
  add_what(command, options);
  const bool side_by_side = options.command == "compare";
  add_modifier_options(command, options.modifiers, side_by_side ? &options.profiles : nullptr);
  add_outputs(command, options);
  add_habits(command, options);
  add_trust(command, options);
  add_threshold_options(command, options.thresholds);
}

}  // namespace skinbake::cli
