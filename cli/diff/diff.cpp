#include <algorithm>
#include <filesystem>

#include "bake/mesh_errors.h"
#include "compare/explain.h"
#include "compare/tables.h"
#include "diff/conclusion.h"
#include "diff/golden.h"
#include "diff/ignored_sidecar.h"
#include "diff/library/run.h"
#include "diff/options.h"
#include "diff/self_test.h"
#include "diff/side.h"
#include "diff/surfaces.h"
#include "diff/text.h"
#include "diff/vertex_order.h"
#include "golden/options.h"
#include "options/file_kinds.h"
#include "options/numbers.h"
#include "options/usage_error.h"
#include "outputs/input_files.h"
#include "outputs/output_paths.h"
#include "skinbake/tool/printable.h"
#include "skinbake/tool/rig_data.h"
#include "task/task_context.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "thresholds/evaluate_thresholds.h"
#include "thresholds/threshold_text.h"

namespace skinbake::cli {

namespace {

// The two sides and the data that a report of their frames refers to.
struct Compared {
  DiffSide a, b;
  std::optional<ChosenRig> rig;                               // --rig
  std::optional<CacheProvenance> a_provenance, b_provenance;  // read only for a report
  Rig first_frame;  // the mesh of A's first frame, if there is no rig
  Clip clip;        // the clip of a cache, by its sidecar
  MeshRecord mesh;  // without runs
  FrameRange frames;
};

// The rig whose bind pose relative errors refer to: --rig, else a side that is a rig, else null.
const ChosenRig* rig_of(const Compared& c) {
  if (c.rig) return &*c.rig;
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) return &*side->rig;
  }
  return nullptr;
}

// The meshes in a cache of several.
std::vector<CachePart> parts_of(const Compared& c) {
  for (const DiffSide* side : {&c.b, &c.a}) {
    if (side->cache && !side->cache->parts().empty()) return side->cache->parts();
  }
  return {};
}

// "Body, Lantern, Mouth".
std::string names_of(const std::vector<CachePart>& parts) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, parts.size()); ++i) {
    names += (i == 0 ? "" : ", ") + parts[i].mesh;
  }
  return parts.size() > kNamed ? names + ", …" : names;
}

// The mesh's id by a sidecar, else the meshes of a GLB, else the name of file A.
std::string id_of(const Compared& c) {
  for (const auto* provenance : {&c.a_provenance, &c.b_provenance}) {
    if (*provenance && !(*provenance)->mesh.empty()) return (*provenance)->mesh;
  }
  const std::vector<CachePart> parts = parts_of(c);
  return parts.empty() ? std::filesystem::path(c.a.path).stem().string() : names_of(parts);
}

// Reads the sidecars, which takes as long as reading the caches.
void read_provenance(Compared& c) {
  if (c.a.cache) c.a_provenance = c.a.cache->provenance();
  if (c.b.cache) c.b_provenance = c.b.cache->provenance();
  if (c.mesh.rig == &c.first_frame) c.first_frame.id = id_of(c);
}

void choose_mesh(Compared& c) {
  if (const ChosenRig* chosen = rig_of(c)) {
    c.mesh.rig = chosen->rig;
    with_mesh_location(chosen->asset->files.front(), *chosen->rig, [&] {
      c.mesh.bbox_diagonal_m = bind_baseline(*chosen->rig).bbox_diagonal_m;
    });
    return;
  }
  c.first_frame =
      rig_of_first_frame(c.a.source(), id_of(c),
                         c.a_provenance ? c.a_provenance->primitives : std::vector<Primitive>{});
  c.mesh.rig = &c.first_frame;
  c.mesh.bbox_diagonal_m = bbox_diagonal(c.first_frame);
}

// The frames of a side that is a rig, else by the sidecar or the header of A.
FrameRange frames_of(const Compared& c) {
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) return side->rig->frames;
  }
  return c.a_provenance ? c.a_provenance->frames : c.a.frames();
}

// Throws UsageError if --mesh has nothing to select from.
void require_meshes(const DiffOptions& options, const Compared& c) {
  if (options.meshes.empty() || rig_of(c) != nullptr) return;
  const auto is_glb = [](const DiffSide& side) { return side.cache->format() == "glb"; };
  if (is_glb(c.a) || is_glb(c.b)) return;
  throw UsageError("--mesh", "selects from a rig or a GLB; these caches have one mesh each");
}

// Throws if an output would replace a file that a rig names, such as its buffer.
void refuse_inputs(const DiffOptions& options, const Compared& c) {
  InputFiles inputs;
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) inputs.add(*side->rig->asset);
  }
  if (c.rig) inputs.add(*c.rig->asset);
  inputs.refuse(output_paths(options));
}

// Throws Error (kNotComparable), with the options that compare other vertices.
void require_comparable_by_index(const DiffOptions& options, const Compared& c) {
  const FrameCounts a = c.a.counts(), b = c.b.counts();
  if (a.vertices != b.vertices) require_comparable(a, b, "; --match surface compares the surfaces");
  require_comparable(a, b);
  const bool is_asked = options.typed.contains("--match");
  if (c.a.rig && c.b.rig && !is_asked) require_same_order(*c.a.rig, *c.b.rig);
}

void open_sides(const DiffOptions& options, Compared& c) {
  c.a = open_side(options, options.a, "a");
  c.b = open_side(options, options.b, "b");
  if (!options.rig.empty()) {
    c.rig = choose_rig(options, options.rig, "rig", false);
    const FrameCounts a = c.a.counts();
    require_comparable({options.rig, c.rig->rig->mesh->vertex_count(), a.frames}, a);
  }
  refuse_inputs(options, c);
  require_comparable_by_index(options, c);
  require_memory(c.a.counts(), options.load.max_memory);
  require_meshes(options, c);
  evaluate(options, c.a);
  evaluate(options, c.b);
  if (options.wants_report()) read_provenance(c);
  choose_mesh(c);
  c.frames = frames_of(c);
}

// Sets the clip of the report: that of a rig, else the clip in a sidecar.
void set_clip(Compared& c, Report& report, RunRecord& run) {
  const Clip* clip = nullptr;
  for (const DiffSide* side : {&c.b, &c.a}) {
    if (side->rig && clip == nullptr) clip = side->rig->clip;
  }
  if (clip == nullptr) {
    c.clip.id = c.b_provenance ? c.b_provenance->clip : c.a_provenance ? c.a_provenance->clip : "";
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

// The files that issues may refer to.
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

// Makes checks of a cache of several meshes refer to a mesh and its vertex.
void name_parts(const std::vector<CachePart>& parts, std::vector<Check>& checks) {
  for (Check& check : checks) {
    name_parts(parts, check.methods);
    if (!check.vertex) continue;
    for (const CachePart& part : parts) {
      const std::int64_t among = *check.vertex - part.first_vertex;
      if (among < 0 || among >= part.vertex_count) continue;
      check.mesh = part.mesh;
      check.vertex = among;
      break;
    }
  }
}

Report make_report(const DiffOptions& options, Compared& c, const Difference& difference) {
  // Messages about a difference name the mesh, the clip and the method.
  if (!options.wants_report() && difference.vertices > 0) read_provenance(c);
  Report report;
  report.command = "diff";
  report.settings.fps = c.frames.fps;
  report.settings.space = options.frames.space;
  report.settings.baseline = c.mesh.rig == &c.first_frame ? Baseline::kFirstFrame : Baseline::kBind;
  report.settings.reference = shown(options.a);
  report.settings.match = {Match::kIndex, Match::kIndex, "", 0};
  report.per_vertex = options.per_vertex;
  RunRecord run;
  set_clip(c, report, run);
  run.method = c.b.rig          ? parse_method(options.method).canonical()
               : c.b_provenance ? c.b_provenance->method
                                : "";
  run.frames = {c.frames, report.clips.front().clip};
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
  const bool is_asked = options.typed.contains("--match");
  const bool are_rigs = c.a.rig && c.b.rig;  // see require_comparable_by_index
  if (difference.vertices > 0 && !is_asked && !are_rigs) {
    add_issues(other_order(c.a, c.b, c.rig ? c.rig->rig : nullptr));
  }
  if (are_rigs) add_issues(other_triangles(*c.a.rig, *c.b.rig));
  // Verifying a sidecar reads the whole cache. It is done only if it may explain a difference.
  const bool checks_sidecars = options.wants_report() || difference.vertices > 0;
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->cache && checks_sidecars) add_issues(ignored_sidecar(*side->cache));
  }
  report.meshes.push_back(c.mesh);
  report.meshes.front().runs.push_back(std::move(run));
  report.issues = sorted_unique(std::move(report.issues));
  evaluate_thresholds(options.thresholds, report);
  name_parts(parts_of(c), report.checks);
  return report;
}

PosedRig posed(const ChosenRig& side, std::int64_t position) {
  return {side.rig, side.clip, side.frames.time_s(position)};
}

// Whether a cache was skinned by the method that skins the other side.
bool is_of_one_method(const DiffOptions& options, const Compared& c) {
  const auto& provenance = c.b.rig ? c.a_provenance : c.b_provenance;
  return provenance && provenance->method == parse_method(options.method).canonical();
}

// The method of both sides cannot cause their difference: the rigs do.
void name_other_cause(const DiffOptions& options, const Compared& c, Explanation& explanation) {
  if (c.a.rig && c.b.rig) {
    const std::int64_t position = (explanation.frame - c.frames.first_frame) / c.frames.frame_step;
    explanation.cause = cause_of_difference(posed(*c.a.rig, position), posed(*c.b.rig, position),
                                            explanation.vertex);
  } else if (is_of_one_method(options, c)) {
    explanation.cause = "both sides are skinned by " + explanation.method +
                        ": the rig of the cache had other weights, another order of vertices, or "
                        "another clip";
  }
}

// Explains the errors by the side that is a rig; if both are, by B.
void explain_difference(const DiffOptions& options, const Compared& c, Report& report) {
  const ChosenRig& side = c.b.rig ? *c.b.rig : *c.a.rig;
  report.explain =
      explain_worst(report, static_cast<std::size_t>(options.explained),
                    ExplainedRig{side.rig, side.clip, parse_method(options.method).canonical()});
  for (Explanation& explanation : report.explain) name_other_cause(options, c, explanation);
}

// A line for each difference of the data of two rigs; empty if a side is a cache.
std::string data_text(const Compared& c) {
  if (!c.a.rig || !c.b.rig) return "";
  const ChosenRig &a = *c.a.rig, &b = *c.b.rig;
  std::vector<std::string> found = mesh_differences(*a.rig, *b.rig);
  for (const auto& more : {node_differences(*a.rig->skeleton, *b.rig->skeleton),
                           clip_differences(*a.rig->skeleton, a.clip, *b.rig->skeleton, b.clip)}) {
    found.insert(found.end(), more.begin(), more.end());
  }
  std::string text;
  for (const std::string& what : found) text += "the rigs differ: " + printable(what) + "\n";
  return text.empty() ? "the data of both rigs are equal\n" : text;
}

int diff_frames(const DiffOptions& options) {
  parse_method(options.method);
  Compared c;
  open_sides(options, c);
  Progress progress(c.frames.frame_count, options.bar());
  progress.begin(printable(options.b));
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
  plan.block_memory = std::min(kBlockMemory, options.load.max_memory / 2);
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
  record_inputs(files_of(c), report.inputs);
  if (options.explained > 0) explain_difference(options, c, report);
  plan.take_row = {};
  if (options.self_test) report.self_test = test_thresholds(plan, options.thresholds, c.mesh);
  conclusion.summary = difference_text(report, parts_of(c)) +
                       (options.explained > 0 ? data_text(c) : "") + explanations_text(report) +
                       self_test_text(report.self_test) + passed_text(report);
  conclusion.differs = difference.vertices > 0;
  return conclude(options, report, std::move(conclusion));
}

int diff_reports(const DiffOptions& options) {
  if (!options.thresholds.given.empty() || options.self_test || !options.rig.empty()) {
    throw Error(ErrorKind::kUsage, "REPORTS_HAVE_A_TOLERANCE",
                "two reports are compared with --tolerance; --fail-…, --warn-…, --self-test and "
                "--rig apply to caches");
  }
  Report report;
  report.command = "diff";
  report.settings.reference = shown(options.a);
  report.changes =
      compare_reports(options.a, options.b, options.tolerances, options.load.max_memory);
  report.inputs = {report.changes->a, report.changes->b};
  InputFiles inputs;
  inputs.add(report.changes->arrays, "array of a report");
  inputs.refuse(output_paths(options));
  record_inputs({options.a, options.b}, report.inputs);
  record_inputs(report.changes->arrays);
  return conclude(options, report,
                  {report_changes_text(*report.changes, options.top), report.changes->count > 0});
}

// Throws UsageError if --mesh or --scene is given and both sides are reports.
void require_no_selection(const DiffOptions& options) {
  for (const char* option : {"--mesh", "--scene"}) {
    if (!options.typed.contains(option)) continue;
    throw UsageError(option, "selects from a rig; reports are compared as a whole");
  }
}

// "; a.glb is a baked cache" if a side is one: its extension is that of a rig.
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
  const bool are_reports = is_report_file(options.a);
  if (are_reports) require_no_selection(options);
  if (are_reports && is_typed("--match")) {
    throw UsageError("--match", "applies to rigs and caches; reports do not contain vertices");
  }
  for (const char* option : {"--map", "--clip-b", "--mesh-b", "--fail-missing", "--top"}) {
    if (!is_typed(option) || (are_reports && std::string_view(option) == "--top")) continue;
    throw UsageError(option, "applies to two rigs, folders or manifests, compared by index");
  }
  for (const char* option :
       {"--sampling", "--hausdorff", "--overlap", "--rig-a", "--rig-b", "--view"}) {
    if (!is_typed(option) || options.match != Match::kIndex) continue;
    throw UsageError(option, "applies to --match surface, order or auto");
  }
  for (const char* option : {"--clip", "--method", "--fps", "--frames", "--clamp-frames",
                             "--max-frames", "--loop", "--space"}) {
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
  if (are_reports && is_typed("--error-matrix")) {
    throw UsageError("--error-matrix", "applies to caches; reports do not contain frames");
  }
  if (!are_reports && is_typed("--tolerance")) {
    throw UsageError("--tolerance",
                     "applies to two reports; limit caches by --fail-max and other thresholds");
  }
}

// Throws Error (kInput) if only one side is a report.
void require_one_kind(const DiffOptions& options) {
  const auto refuse = [](const std::string& report, const std::string& other) {
    throw Error(ErrorKind::kInput, "CACHE_UNSUPPORTED",
                "is a report, and " + shown(other) + " is not; name two caches or two reports",
                {report, ""});
  };
  const bool a = is_report_file(options.a), b = is_report_file(options.b);
  if (a && !b) refuse(options.a, options.b);
  if (b && !a) refuse(options.b, options.a);
}

}  // namespace

namespace {

ReportTolerance parse_tolerance(std::string text) {
  ReportTolerance tolerance;
  if (text.ends_with("pp")) {
    const std::optional<double> points = finite_number(text.substr(0, text.size() - 2));
    if (!points || *points < 0) throw UsageError("--tolerance", "not per cent points: " + text);
    return {*points / 100, false};
  }
  tolerance.relative = text.ends_with('%');
  if (tolerance.relative) text.pop_back();
  const std::optional<double> value = finite_number(text);
  if (!value || *value < 0) {
    throw UsageError("--tolerance", "not a number or a percentage: " + text);
  }
  tolerance.value = tolerance.relative ? *value / 100 : *value;
  return tolerance;
}

}  // namespace

ReportTolerances parse_tolerances(const std::string& text) {
  ReportTolerances tolerances;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) {
      tolerances.all = parse_tolerance(item);
    } else if (item.find('.') > equals) {
      throw UsageError("--tolerance", "'" + item.substr(0, equals) +
                                          "' is not a metric with a number, such as error.max");
    } else {
      tolerances.of_metric[item.substr(0, equals)] = parse_tolerance(item.substr(equals + 1));
    }
    begin = end + 1;
  }
  return tolerances;
}

int run_diff(DiffOptions options) {
  if (options.a.ends_with(kGoldenExtension)) return diff_golden(options);
  const bool compares_libraries = are_libraries(options);
  if (!compares_libraries) {
    require_one_kind(options);
    require_use(options);
  }
  options.thresholds.settle();
  configure_console(options);
  check_outputs(options);
  remove_outputs_on_signal();
  if (compares_libraries) return diff_libraries(options);
  if (is_report_file(options.a)) return diff_reports(options);
  return options.match == Match::kIndex ? diff_frames(options) : diff_surfaces(options);
}

}  // namespace skinbake::cli
