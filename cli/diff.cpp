// skinbake diff golden.pc2 new.pc2 --fail-max 1e-4

#include <algorithm>
#include <filesystem>
#include <memory>

#include "checks.h"
#include "commands.h"
#include "comparison.h"
#include "diff_conclusion.h"
#include "diff_options.h"
#include "diff_side.h"
#include "diff_text.h"
#include "explain.h"
#include "frame_kinds.h"
#include "hold.h"
#include "interrupt.h"
#include "output_paths.h"
#include "progress.h"
#include "self_test.h"
#include "sidecar_text.h"

namespace skinbake::cli {

namespace {

// Everything that a report of frames points into.
struct Compared {
  DiffSide a, b;
  std::optional<ChosenRig> rig;                   // --rig
  std::optional<CacheOrigin> a_origin, b_origin;  // asked for only if there is a report
  Rig first_frame;                                // stands for a rig where there is none
  Clip clip;                                      // stands for that of a cache
  MeshRecord mesh;                                // without runs
  FrameRange frames;
};

// The rig whose bind pose sizes are relative to: --rig, else the side that is one.
const Rig* rig_of(const Compared& c) {
  if (c.rig) return c.rig->rig;
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) return side->rig->rig;
  }
  return nullptr;
}

// The mesh's id, by what is known of it.
std::string id_of(const Compared& c) {
  for (const auto* origin : {&c.a_origin, &c.b_origin}) {
    if (*origin && !(*origin)->mesh.empty()) return (*origin)->mesh;
  }
  return std::filesystem::path(c.a.path).stem().string();
}

void choose_mesh(Compared& c) {
  c.mesh.rig = rig_of(c);
  if (c.mesh.rig != nullptr) {
    c.mesh.bbox_diagonal_m = bind_baseline(*c.mesh.rig).bbox_diagonal_m;
    return;
  }
  c.first_frame = rig_of_first_frame(
      c.a.source(), id_of(c), c.a_origin ? c.a_origin->primitives : std::vector<Primitive>{});
  c.mesh.rig = &c.first_frame;
  c.mesh.bbox_diagonal_m = bbox_diagonal(c.first_frame);
}

// Those of a rig, whose clip has a rate; else as a's sidecar or header says.
FrameRange frames_of(const Compared& c) {
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) return side->rig->frames;
  }
  return c.a_origin ? c.a_origin->frames : c.a.frames();
}

// --mesh must have something to choose from.
void require_meshes(const DiffOptions& options, const Compared& c) {
  if (options.meshes.empty() || rig_of(c) != nullptr) return;
  const auto is_glb = [](const DiffSide& side) { return side.cache->format() == "glb"; };
  if (is_glb(c.a) || is_glb(c.b)) return;
  throw CLI::ValidationError("--mesh", "is of a rig or of a GLB; these caches have one mesh each");
}

// The meshes that follow one another in a side.
std::vector<CachePart> parts_of(const Compared& c) {
  for (const DiffSide* side : {&c.b, &c.a}) {
    if (side->cache && !side->cache->parts().empty()) return side->cache->parts();
  }
  return {};
}

void open_sides(const DiffOptions& options, Compared& c) {
  c.a = open_side(options, options.a, "a");
  c.b = open_side(options, options.b, "b");
  if (!options.rig.empty()) {
    c.rig = choose_rig(options, options.rig, "rig", false);
    const FrameCounts a = c.a.counts();
    require_comparable({options.rig, c.rig->rig->mesh->vertex_count(), a.frames}, a);
  }
  require_comparable(c.a.counts(), c.b.counts());
  require_memory(c.a.counts(), options.load.max_memory);
  require_meshes(options, c);
  evaluate(options, c.a);
  evaluate(options, c.b);
  if (options.wants_report()) {
    if (c.a.cache) c.a_origin = c.a.cache->origin();
    if (c.b.cache) c.b_origin = c.b.cache->origin();
  }
  choose_mesh(c);
  c.frames = frames_of(c);
}

// The clip of a rig, or what stands for that of a cache.
void set_clip(Compared& c, Report& report, RunRecord& run) {
  const Clip* clip = nullptr;
  for (const DiffSide* side : {&c.b, &c.a}) {
    if (side->rig && clip == nullptr) clip = side->rig->clip;
  }
  if (clip == nullptr) {
    c.clip.id = c.b_origin ? c.b_origin->clip : c.a_origin ? c.a_origin->clip : "";
    c.clip.index = -1;
    c.clip.duration_s = std::max(0.0, c.frames.time_s(c.frames.frame_count - 1));
    clip = &c.clip;
  }
  run.clip = clip->id;
  report.clips.push_back({clip, c.frames});
}

void add_inputs(const DiffSide& side, Report& report) {
  if (side.rig) {
    const std::vector<InputFile>& inputs = side.rig->asset->inputs;
    report.inputs.insert(report.inputs.end(), inputs.begin(), inputs.end());
    const Issues& issues = side.rig->asset->issues;
    report.issues.insert(report.issues.end(), issues.begin(), issues.end());
  } else {
    report.inputs.push_back(
        {side.role, shown(side.path), side.cache->bytes(), side.cache->xxh128()});
  }
}

// What issues may be of.
std::vector<std::string> files_of(const Compared& c) {
  std::vector<std::string> files;
  const auto add = [&](const ChosenRig& rig) {
    files.insert(files.end(), rig.asset->files.begin(), rig.asset->files.end());
  };
  for (const DiffSide* side : {&c.a, &c.b}) {
    files.push_back(side->path);
    files.push_back(side->path + ".json");
    if (side->rig) add(*side->rig);
  }
  if (c.rig) add(*c.rig);
  return files;
}

Report make_report(const DiffOptions& options, Compared& c, const Difference& difference) {
  Report report;
  report.command = "diff";
  report.settings.fps = c.frames.fps;
  report.settings.space = options.frames.space == Space::kScene ? "scene" : "mesh";
  report.settings.baseline = c.mesh.rig == &c.first_frame ? "first-frame" : "bind";
  report.settings.reference = shown(options.a);
  report.per_vertex = options.per_vertex;
  RunRecord run;
  set_clip(c, report, run);
  run.method = c.b.rig      ? parse_method(options.method).canonical()
               : c.b_origin ? c.b_origin->method
                            : "";
  run.frames = c.frames;
  run.reference = report.settings.reference;
  run.error = difference.error;
  run.difference = difference;
  if (options.wants_report()) {
    add_inputs(c.a, report);
    add_inputs(c.b, report);
    if (c.rig) {
      report.inputs.insert(report.inputs.end(), c.rig->asset->inputs.begin(),
                           c.rig->asset->inputs.end());
    }
  }
  const auto add_issues = [&report](const Issues& issues) {
    report.issues.insert(report.issues.end(), issues.begin(), issues.end());
  };
  add_issues(unlike_frames(options, c.a, c.b));
  // Whether a sidecar is believed takes reading the cache: it is asked where it may be the reason.
  const bool may_matter = options.wants_report() || difference.vertices > 0;
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->cache && may_matter) add_issues(ignored_sidecar(*side->cache));
  }
  report.meshes.push_back(c.mesh);
  report.meshes.front().runs.push_back(std::move(run));
  report.issues = sorted_unique(std::move(report.issues));
  check(options.thresholds, report);
  return report;
}

// Of the side that is a rig; of two, B.
void explain_difference(const DiffOptions& options, const Compared& c, Report& report) {
  const ChosenRig& side = c.b.rig ? *c.b.rig : *c.a.rig;
  report.explain =
      explain_worst(report, static_cast<std::size_t>(options.explained),
                    Mover{side.rig, side.clip, parse_method(options.method).canonical()});
}

void diff_frames(const DiffOptions& options) {
  parse_method(options.method);
  Compared c;
  open_sides(options, c);
  Progress progress(c.frames.frame_count, options.bar());
  progress.begin(one_line(options.b));
  DiffPlan plan;
  plan.a = &c.a.source();
  plan.b = &c.b.source();
  plan.rig = c.mesh.rig;
  plan.frames = c.frames;
  plan.bbox_diagonal_m = c.mesh.bbox_diagonal_m;
  plan.limits_m = options.thresholds.vertex_limits_m(plan.bbox_diagonal_m);
  plan.details = options.wants_report() || options.explained > 0;
  plan.threads = options.threads;
  plan.progress = [&](std::int64_t frames) { progress.update(frames); };
  plan.cancelled = interrupt_flag();
  Conclusion conclusion;
  if (!options.error_matrix.empty()) {
    ErrorMatrix& matrix = conclusion.matrix.emplace(options.error_matrix, c.frames.frame_count,
                                                    c.mesh.rig->mesh->vertex_count());
    plan.take_row = [&matrix](std::int64_t position, std::span<const float> distances) {
      matrix.write(position, distances);
    };
  }
  const Difference difference = difference_of(plan);
  Report report = make_report(options, c, difference);
  log_issues(report.issues, files_of(c));
  if (options.explained > 0) explain_difference(options, c, report);
  plan.take_row = {};
  if (options.self_test) report.self_test = test_thresholds(plan, options.thresholds, c.mesh);
  conclusion.summary = difference_text(report, parts_of(c)) + explanations_text(report) +
                       self_test_text(report.self_test) + passed_text(report);
  conclusion.differs = difference.vertices > 0;
  conclude(options, report, std::move(conclusion));
}

void diff_reports(const DiffOptions& options) {
  if (!options.thresholds.given.empty() || options.self_test || !options.rig.empty()) {
    throw Error(ErrorKind::kUsage, "REPORTS_HAVE_A_TOLERANCE",
                "two reports are compared with --tolerance; --fail-…, --warn-…, --self-test and "
                "--rig are for caches");
  }
  Report report;
  report.command = "diff";
  report.settings.reference = shown(options.a);
  report.changes =
      compare_reports(options.a, options.b, options.tolerance, options.load.max_memory);
  report.inputs = {report.changes->a, report.changes->b};
  conclude(options, report, {changes_text(*report.changes), report.changes->count > 0});
}

void run_diff(DiffOptions options, const CLI::App& command) {
  const bool has_rig = is_rig_file(options.a) || is_rig_file(options.b);
  require_one_kind(options);
  require_use(command, has_rig, is_report_file(options.a));
  options.thresholds.settle();
  configure_console(options);
  check_outputs(options);
  finish_before_ending();
  if (is_report_file(options.a)) {
    diff_reports(options);
  } else {
    diff_frames(options);
  }
}

}  // namespace

void setup_diff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand(
      "diff", "Compare two caches, frame by frame and vertex by vertex, or two reports");
  add_diff_options(*command, *options);
  command->footer(
      "A rig in the place of a cache is evaluated into a temporary file ($TMPDIR). A cache that "
      "was\n"
      "written with --up or --scale is turned back to metres and y up, as its sidecar says.\n"
      "Without a threshold, any difference is exit code 1; a position that is not a number always "
      "is.\n"
      "\n"
      "Examples:\n"
      "  skinbake diff golden.pc2 new.pc2 --fail-max 1e-4\n"
      "  skinbake diff golden.pc2 new.pc2 --fail-max 1e-4 --fail-percent 0.1 --hard-fail 1e-2\n"
      "  skinbake diff golden.pc2 hero.glb --clip run --method dqs --fail-max-relative 0.01%\n"
      "  skinbake diff golden.pc2 new.pc2 --fail-rms 1e-5 --self-test\n"
      "  skinbake diff before.json after.json --tolerance 1%");
  command->callback([options, command] { run_diff(*options, *command); });
}

}  // namespace skinbake::cli
