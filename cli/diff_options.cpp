#include "diff_options.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "choices.h"
#include "explain.h"
#include "metric_choice.h"
#include "output_paths.h"

namespace skinbake::cli {

namespace {

ReportTolerance parse_tolerance(std::string text) {
  ReportTolerance tolerance;
  tolerance.relative = text.ends_with('%');
  if (tolerance.relative) text.pop_back();
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, tolerance.value);
  if (error != std::errc{} || at != end || !(tolerance.value >= 0) ||
      !std::isfinite(tolerance.value)) {
    throw CLI::ValidationError("--tolerance", "not a number or a percentage: " + text);
  }
  if (tolerance.relative) tolerance.value /= 100;
  return tolerance;
}

void add_sides(CLI::App& command, DiffOptions& o) {
  command
      .add_option("a", o.a,
                  "The golden one: a cache, a rig that is evaluated (.gltf, .glb, .vrm), or a "
                  "JSON report")
      ->required()
      ->check(not_empty)
      ->type_name("A");
  command.add_option("b", o.b, "What is compared with it")
      ->required()
      ->check(not_empty)
      ->type_name("B");
  command
      .add_option("--rig", o.rig,
                  "Rig of the caches: relative errors are of its bind pose, not of A's first frame")
      ->check(not_empty)
      ->type_name("FILE");
}

void add_evaluation(CLI::App& command, DiffOptions& o) {
  const char* const group = "Of a rig";
  command.add_option("--clip", o.clip, "Clip, as in `skinbake bake`")
      ->check(not_empty)
      ->type_name("ID|FILE[#ID]")
      ->group(group);
  command
      .add_option("--mesh", o.meshes,
                  "Mesh node: its name or '#node', also in a GLB of several; default: the only one")
      ->check(not_empty)
      ->type_name("ID")
      ->expected(1)
      ->group(group);
  command.add_option("-m,--method", o.method, "Skinning method (skinbake list methods)")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  add_frame_options(command, o.frames, group);
  add_explain_option(command, o.explained)->group(group);
}

void add_results(CLI::App& command, DiffOptions& o) {
  command.add_option("--report", o.report, "JSON report; '-': standard output")
      ->check(not_empty)
      ->type_name("PATH");
  command.add_flag("--json", o.json, "The report on standard output, and nothing else there");
  add_per_vertex_option(command, o.per_vertex);
  add_error_matrix_option(command, o.error_matrix);
  command
      .add_option_function<std::string>(
          "--tolerance", [&o](const std::string& text) { o.tolerance = parse_tolerance(text); },
          "Of two reports: how far a measurement may move, or by which part of the larger one")
      ->type_name("NUMBER[%]")
      ->default_str("0");
  command.add_flag("--self-test", o.self_test,
                   "Also moves vertices of A by known distances, and shows that every threshold "
                   "catches it; exit 1 if one does not");
}

}  // namespace

void add_diff_options(CLI::App& command, DiffOptions& options) {
  add_sides(command, options);
  add_evaluation(command, options);
  add_results(command, options);
  add_habits(command, options);
  add_strict_option(command, options.strict);
  add_load_options(command, options.load);
  add_threshold_options(command, options.thresholds, Limits::kError);
}

void require_use(const CLI::App& command, bool has_rig, bool are_reports) {
  for (const char* option :
       {"--clip", "--method", "--fps", "--frames", "--max-frames", "--loop", "--space"}) {
    if (has_rig || command.count(option) == 0) continue;
    throw CLI::ValidationError(option, "is of a rig, and neither A nor B is one");
  }
  if (!has_rig && command.count("--explain") > 0) {
    throw CLI::ValidationError(
        "--explain",
        "caches do not say what moved them; put their rig in the place of one, with "
        "--clip and --method");
  }
  if (are_reports && command.count("--error-matrix") > 0) {
    throw CLI::ValidationError("--error-matrix", "is of caches; reports have no frames");
  }
  if (!are_reports && command.count("--tolerance") > 0) {
    throw CLI::ValidationError("--tolerance",
                               "is of two reports; caches are held against --fail-max and others");
  }
}

bool is_report_file(const std::string& path) {
  return std::filesystem::path(path).extension() == ".json";
}

void require_one_kind(const DiffOptions& options) {
  const auto refuse = [](const std::string& report, const std::string& other) {
    throw Error(ErrorKind::kInput, "CACHE_UNSUPPORTED",
                "is a report, and " + shown(other) + " is none; name two caches or two reports",
                {report, ""});
  };
  const bool a = is_report_file(options.a), b = is_report_file(options.b);
  if (a && !b) refuse(options.a, options.b);
  if (b && !a) refuse(options.b, options.a);
}

}  // namespace skinbake::cli
