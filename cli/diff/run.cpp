// Chooses the kind of comparison by the two sides.

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "base/paths.h"
#include "comparison/golden_check.h"
#include "diff/conclusion.h"
#include "diff/frames.h"
#include "diff/library.h"
#include "diff/options.h"
#include "options/file_kinds.h"
#include "options/usage_error.h"
#include "terminal/console.h"
#include "terminal/interrupt.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

// "; a.glb is a baked cache" if a side is one: it has the extension of a rig.
std::string note_on_glb(const DiffOptions& options) {
  for (const std::string& side : {options.a, options.b}) {
    if (is_rig_file(side) && is_baked_glb(side)) return "; " + shown(side) + " is a baked cache";
  }
  return "";
}

// Throws UsageError if an option does not apply to the two sides: it would have no effect.
void require_use(const DiffOptions& options) {
  const auto is_typed = [&](const char* option) { return options.typed.contains(option); };
  const bool has_rig = is_evaluated(options.a) || is_evaluated(options.b);
  for (const char* option : {"--clip-b", "--mesh-b"}) {
    if (!is_typed(option) || options.plan.match != Match::kIndex) continue;
    throw UsageError(option, "applies to two rigs, folders or manifests");
  }
  for (const char* option : {"--map", "--fail-missing", "--top"}) {
    if (!is_typed(option)) continue;
    throw UsageError(option, "applies to two rigs, folders or manifests, compared by index");
  }
  for (const char* option :
       {"--sampling", "--hausdorff", "--overlap", "--rig-a", "--rig-b", "--view"}) {
    if (!is_typed(option) || options.plan.match != Match::kIndex) continue;
    throw UsageError(option, "applies to --match surface, order or auto");
  }
  for (const char* option :
       {"--clip", "--method", "--fps", "--frames", "--max-frames", "--loop", "--space"}) {
    if (has_rig || !is_typed(option)) continue;
    throw UsageError(option,
                     "applies to a rig, and neither A nor B is a rig" + note_on_glb(options));
  }
  if (!has_rig && options.rig.empty() && is_typed("--scene")) {
    throw UsageError(
        "--scene",
        "applies to a rig; neither A nor B is a rig, and there is no --rig" + note_on_glb(options));
  }
  if (!has_rig && is_typed("--explain")) {
    throw UsageError("--explain",
                     "a cache does not contain joints; give the rig instead of one cache, with "
                     "--clip and --method");
  }
}

// Throws UsageError if a limit is of one method: a diff has at most one.
void require_no_method(const Thresholds& thresholds) {
  for (const Threshold& limit : thresholds.given) {
    if (limit.method.empty()) continue;
    throw UsageError("--" + std::string(to_string(limit.severity)),
                     "'" + limit.method + "' names a method, and diff evaluates at most one");
  }
}

// `diff GOLDEN CACHE`.
int diff_golden(const DiffOptions& options) {
  for (const std::string& option : options.typed) {
    const bool is_known = option == "--fail" || option == "--quiet" || option == "--verbose" ||
                          option == "--color" || option == "--progress" || option == "--threads" ||
                          option == "--max-memory";
    if (!is_known && option.starts_with("--")) {
      throw UsageError(option, "does not apply to a golden, which stores sampled vertices only");
    }
  }
  configure_console(options);
  require_golden_limits(options.thresholds);
  std::optional<double> limit_m;
  if (!options.thresholds.given.empty()) limit_m = options.thresholds.given.front().limit;
  record_inputs({options.a, options.b, options.b + ".json"});
  const GoldenResult result = check_golden(options.a, options.b, limit_m);
  if (result.status == GoldenResult::Status::kMissing) {
    throw Error("FILE_UNREADABLE", "does not exist", {options.b, ""});
  }
  const std::string line = golden_line(result, limit_m);
  log_golden_results({&result, 1}, limit_m, options.quiet);
  if (!options.quiet) print(line + "\n");
  return result.passed() ? 0 : 1;
}

// Throws Error (kInput) if a file beside a rig is missing: no choice of meshes and clips helps.
void require_files(const DiffOptions& options) {
  if (!is_evaluated(options.a) && !is_evaluated(options.b)) return;
  for (const std::string& path :
       {options.a, options.b, options.rig, options.rig_a, options.rig_b}) {
    std::error_code unknown;
    const auto status = std::filesystem::status(path, unknown);
    if (path.empty() || status.type() != std::filesystem::file_type::not_found) continue;
    throw Error("FILE_UNREADABLE", "the file does not exist", {path, ""});
  }
}

// Whether two rigs that cannot be compared as one mesh and one clip are compared as libraries: with
// all meshes and clips.
bool takes_all(const DiffOptions& options, const Error& error) {
  const bool is_ambiguous = (error.code() == "CLIP_AMBIGUOUS" && options.clips.empty()) ||
                            (error.code() == "MESH_AMBIGUOUS" && options.meshes.empty());
  const bool is_of_one_pair =
      options.typed.contains("--rig") || options.typed.contains("--explain") ||
      options.typed.contains("--error-matrix") || options.per_vertex == PerVertex::kNpy;
  return is_ambiguous && !is_of_one_pair && is_evaluated(options.a) && is_evaluated(options.b);
}

}  // namespace

int run_diff(DiffOptions options) {
  if (options.a.ends_with(kGoldenExtension)) return diff_golden(options);
  const bool compares_libraries = are_libraries(options);
  if (!compares_libraries) require_use(options);
  require_no_method(options.thresholds);
  if (options.thresholds.need("hausdorff")) options.hausdorff = true;
  check_reports(options.reports);
  configure_console(options);
  check_outputs(options);
  remove_outputs_on_signal();
  if (compares_libraries) return diff_libraries(options);
  require_files(options);
  if (options.plan.match != Match::kIndex) return diff_surfaces(options);
  try {
    return diff_frames(options);
  } catch (const Error& error) {
    if (!takes_all(options, error)) throw;
  }
  return diff_libraries(options);
}

}  // namespace skinbake::cli
