#include "compare/lods.h"

#include <algorithm>
#include <deque>
#include <set>
#include <string>

#include "json/printable.h"
#include "options/file_kinds.h"
#include "options/parsing/usage_error.h"
#include "outputs/output_paths.h"
#include "report/report_text.h"
#include "skinbake/methods.h"
#include "surfaces/comparison.h"
#include "surfaces/memory.h"
#include "surfaces/text.h"
#include "terminal/format.h"
#include "terminal/table.h"
#include "thresholds/evaluate_thresholds.h"
#include "thresholds/threshold_text.h"

namespace skinbake::cli {

namespace {

using Rows = std::vector<std::vector<std::string>>;

// Throws UsageError if an option would have no effect.
void require_lods_use(const CompareOptions& o) {
  static const std::set<std::string> kUsed{
      "--lods",   "--clip",       "--mesh",          "--methods",    "--fps",
      "--frames", "--loop",       "--overlap",       "--max-frames", "--threads",
      "--quiet",  "--verbose",    "--progress",      "--color",      "--scene",
      "--strict", "--max-memory", "--allow-outside", "--allow",      "--sampling"};
  for (const std::string& option : o.typed) {
    const bool is_limit = option.starts_with("--fail-") || option.starts_with("--warn-") ||
                          option.starts_with("--hard-");
    if (!option.starts_with("--") || is_limit || kUsed.contains(option)) continue;
    throw UsageError(option,
                     "does not apply to --lods, which prints a table; for reports and pages "
                     "of one level use skinbake diff RIG LOD --match surface");
  }
  if (o.thresholds.need_volume()) throw UsageError("--lods", "measures errors, not volumes");
  for (const std::string& lod : o.lods) {
    if (is_evaluated(lod)) continue;
    throw UsageError("--lods",
                     lod + " is not a rig; levels of detail are .gltf, .glb or .vrm files");
  }
  if (!is_evaluated(o.rig)) throw UsageError("--lods", o.rig + " is not a rig");
  if (o.typed.contains("--methods") && o.methods.size() > 1) {
    throw UsageError("--methods", "--lods compares files by one method");
  }
}

SurfaceOptions surface_options(const CompareOptions& o) {
  SurfaceOptions options;
  options.plan = {.sampling = o.sampling, .max_memory = o.load.max_memory, .threads = o.threads};
  options.overlap = o.overlap;
  options.clips = o.clips.clips;
  options.meshes = o.meshes;
  if (o.methods.size() == 1) options.method = o.methods.front();
  options.frames = o.frames;
  options.load = o.load;
  options.hausdorff = true;
  options.thresholds = o.thresholds;
  options.bar = o.bar();
  return options;
}

std::uint64_t bytes_of(const SurfaceSide& side) {
  std::uint64_t bytes = 0;
  for (const InputFile& input : side.asset->inputs) bytes += input.bytes;
  return bytes;
}

std::string percent_of(double metres, const SurfaceComparison& c) {
  return fmt::format("{:.3g} %", metres / c.surfaces.a.diagonal_m * 100);
}

void add_rows(const SurfaceComparison& c, Rows& rows) {
  double at_rest = 0;
  for (const SurfaceDirection& direction : c.directions) {
    at_rest = std::max(at_rest, direction.at_rest.max);
  }
  for (std::size_t r = 0; r < c.clips.pairs.size(); ++r) {
    std::size_t worse = 0;
    for (std::size_t d = 1; d < c.meshes.size(); ++d) {
      if (c.meshes[d].runs[r].error->max > c.meshes[worse].runs[r].error->max) worse = d;
    }
    const RunRecord& run = c.meshes[worse].runs[r];
    rows.push_back(
        {printable(shown(c.b.path)), run.clip.empty() ? "rest pose" : printable(run.clip),
         std::string(to_string(c.matched.match)), percent_of(at_rest, c),
         percent_of(run.error->max, c), percent_of(hausdorff_max(c.meshes[0].runs[r]), c),
         std::to_string(c.surfaces.b.triangles.size()), std::to_string(bytes_of(c.b)),
         fmt::format("frame {}, {}", run.frames.frame(run.error->max_at.frame),
                     point_text(c.directions[worse], run.error->max_at.vertex))});
  }
}

// A line for each level with frames that are not compared, or that another joint places.
std::string notes_text(const std::deque<SurfaceComparison>& levels) {
  std::string text;
  for (const SurfaceComparison& level : levels) {
    if (level.placement) {
      text += printable(shown(level.b.path)) + ": " + placement_line(level);
    }
    const auto frames = static_cast<std::size_t>(frames_left_out(level.clips));
    if (frames == 0) continue;
    text +=
        printable(shown(level.b.path)) + ": " +
        counted(frames, "frame that only one file has is", "frames that only one file has are") +
        " not compared\n";
  }
  return text;
}

// The meshes of all levels, whose names begin with that of the level's file.
void add_to_report(const SurfaceComparison& c, std::deque<Rig>& rigs, Report& report) {
  for (const MeshRecord& mesh : c.meshes) {
    Rig& rig = rigs.emplace_back(*mesh.rig);
    rig.id = shown(c.b.path) + ", " + rig.id;
    report.meshes.push_back(mesh);
    report.meshes.back().rig = &rig;
  }
  report.issues.insert(report.issues.end(), c.issues.begin(), c.issues.end());
  const Issues& of_file = c.b.asset->issues;
  report.issues.insert(report.issues.end(), of_file.begin(), of_file.end());
}

}  // namespace

int compare_lods(CompareOptions options) {
  require_lods_use(options);
  options.thresholds.settle();
  const SurfaceOptions surface = surface_options(options);
  options.thresholds.require_methods({parse_method(surface.method).canonical()});
  configure_console(options);
  std::deque<SurfaceComparison> levels;
  std::deque<Rig> rigs;
  Report report;
  report.command = "compare";
  Rows rows{{"level", "clip", "match", "at rest", "in motion", "Hausdorff", "triangles", "bytes",
             "where"}};
  // Every level holds its memory until the last is measured.
  SurfaceOptions beside = surface;
  for (const std::string& lod : options.lods) {
    open_surfaces(beside, options.rig, lod, levels.emplace_back());
    beside.load.memory_taken = levels.back().memory.held();
  }
  const std::uint64_t of_all = levels.back().memory.held();
  for (SurfaceComparison& level : levels) {
    level.memory.hold(kOtherFiles, of_all - level.memory.held());
    measure_surfaces(surface, level);
    add_rows(level, rows);
    add_to_report(level, rigs, report);
  }
  const Issues& of_rig = levels.front().a.asset->issues;
  report.issues.insert(report.issues.end(), of_rig.begin(), of_rig.end());
  report.issues = sorted_unique(std::move(report.issues));
  evaluate_thresholds(options.thresholds, report);
  for (const SurfaceComparison& level : levels) {
    add_clip_checks(level.clips, level.b, report);
    // Without a limit, nothing is judged: levels may leave out what is not seen from afar.
    if (!options.thresholds.given.empty()) add_area_check(level, report);
  }
  std::vector<std::string> files = options.lods;
  files.push_back(options.rig);
  log_issues(report.issues, files);
  if (!options.quiet) {
    print(fmt::format("{}: {}, {} bytes; errors are parts of its diagonal, the larger of "
                      "both directions\n",
                      printable(options.rig),
                      counted(levels.front().surfaces.a.triangles.size(), "triangle", "triangles"),
                      bytes_of(levels.front().a)) +
          table_text(rows, "lllrrrrrl") + notes_text(levels) + passed_text(report));
  }
  log_checks(report);
  const bool failed = verdict_status(report) == VerdictStatus::kFail;
  return std::max(failed ? 1 : 0, strict_exit_code(options.strict, report.issues, report.checks));
}

}  // namespace skinbake::cli
