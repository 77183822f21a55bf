// The comparison of the frames of two files: its report, its text, its run.

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "base/paths.h"
#include "compare/rig_data.h"
#include "comparison/explain.h"
#include "comparison/stated_frames.h"
#include "diff/conclusion.h"
#include "diff/frames.h"
#include "diff/side.h"
#include "json/text.h"
#include "skinbake/methods.h"
#include "terminal/format.h"
#include "terminal/progress.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

// Sets the clip of the report: a rig's clip, else the clip in a sidecar.
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
  } else {
    report.inputs.push_back(
        {side.role, shown(side.path), side.cache->bytes(), side.cache->xxh128()});
  }
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

}  // namespace

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
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) add_issues(side->rig->asset->issues);
  }
  add_issues(unlike_frames(options, c.a, c.b));
  const bool is_asked = options.typed.contains("--match");
  const bool are_rigs = c.a.rig && c.b.rig;  // see require_comparable_by_index
  if (difference.vertices > 0 && !is_asked && !are_rigs) {
    add_issues(other_order(c.a, c.b, c.rig ? c.rig->rig : nullptr));
  }
  if (are_rigs && difference.vertices == 0) {
    const ChosenRig &a = *c.a.rig, &b = *c.b.rig;
    add_issues(other_channels(c.b.path, {a.asset->skeleton.get(), a.clip},
                              {b.asset->skeleton.get(), b.clip}));
  }
  const Issues triangles = c.at_bind ? c.at_bind->other_triangles() : Issues{};
  add_issues(triangles);
  // Verifying a sidecar reads the whole cache. It is done only if it may explain a difference.
  const bool checks_sidecars = options.wants_report() || difference.vertices > 0;
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->cache && checks_sidecars) add_issues(ignored_sidecar(*side->cache));
  }
  report.meshes.push_back(c.mesh);
  report.meshes.front().runs.push_back(std::move(run));
  report.issues = sorted_unique(std::move(report.issues));
  evaluate_thresholds(options.thresholds, report);
  if (!triangles.empty()) add_area_check(c.at_bind->areas(), c.a.path, c.b.path, report);
  name_parts(parts_of(c), report.checks);
  return report;
}

namespace {

std::string percent(double part) {
  return fmt::format("{:.4g} %", part * 100);
}

// "max     0.00123 m  0.071 % of the bind diagonal". abs() makes the sign of a NaN the same on
// every processor.
std::string distance_line(const char* name, double metres, double relative,
                          const MeshRecord& mesh) {
  metres = std::abs(metres);
  relative = std::abs(relative);
  return fmt::format("{:<8}{:<12.6g} m  {} of the {}", name, metres, percent(relative),
                     has_bind_pose(mesh) ? "bind diagonal" : "first frame's diagonal");
}

std::string point_text(const std::array<double, 3>& point) {
  // Nine digits distinguish every two float32 numbers.
  return fmt::format("({:.9g}, {:.9g}, {:.9g})", point[0], point[1], point[2]);
}

// "1440 (174 of 'Hand')" in a cache of several meshes.
std::string vertex_text(std::int64_t vertex, const std::vector<CachePart>& parts) {
  for (const CachePart& part : parts) {
    const std::int64_t among = vertex - part.first_vertex;
    if (among >= 0 && among < part.vertex_count) {
      return fmt::format("{} ({} of '{}')", vertex, among, printable(part.mesh));
    }
  }
  return std::to_string(vertex);
}

std::string max_lines(const MeshRecord& mesh, const RunRecord& run,
                      const std::vector<CachePart>& parts) {
  const Difference& difference = *run.difference;
  const PositionErrorResult& error = *run.error;
  const auto at = static_cast<std::size_t>(error.max_at.frame);
  return fmt::format(
      "{}, {}, vertex {}\n  a {}\n  b {}\n"
      "in that frame  p50 {:.6g} m, p95 {:.6g} m, p99 {:.6g} m\n",
      distance_line("max", error.max, error.max_relative, mesh),
      frame_text(run.frames, error.max_at.frame), vertex_text(error.max_at.vertex, parts),
      point_text(difference.a_at_max), point_text(difference.b_at_max), error.per_frame.p50[at],
      error.per_frame.p95[at], error.per_frame.p99[at]);
}

std::string over_line(const OverLimit& over, std::int64_t vertices, const FrameRange& frames) {
  std::string line =
      fmt::format("over {:.6g} m  {} of {} vertices, in {} of {} frames", over.limit_m,
                  over.vertices, vertices, over.frames, frames.frame_count);
  if (over.most > 0) {
    line += fmt::format("; most in {}: {} ({})", frame_text(frames, over.most_at.frame), over.most,
                        percent(static_cast<double>(over.most) / static_cast<double>(vertices)));
  }
  return line + "\n";
}

}  // namespace

std::string other_differences(const Report& report) {
  const auto has = [&](std::string_view code) {
    return std::ranges::any_of(report.issues,
                               [&](const Issue& issue) { return issue.code == code; });
  };
  const bool triangles = has("TRIANGLES_DIFFER"), channels = has("CHANNELS_DIFFER");
  if (triangles && channels) return "triangles and channels";
  return triangles ? "triangles" : channels ? "channels" : "";
}

std::string difference_text(const Report& report, const std::vector<CachePart>& parts) {
  const MeshRecord& mesh = report.meshes.front();
  const RunRecord& run = mesh.runs.front();
  const Difference& difference = *run.difference;
  const std::int64_t vertices = mesh.rig->mesh->vertex_count();
  const std::string counts = fmt::format("{} of {} vertices", counted_frames(run.frames), vertices);
  const std::string others = other_differences(report);
  if (difference.identical && others.empty()) return "identical: " + counts + "\n";
  if (difference.identical) {
    return "identical positions: " + counts + "; the " + others + " differ\n";
  }
  if (difference.vertices == 0) {
    return "equal: " + counts + "; only bytes" + (others.empty() ? "" : " and " + others) +
           " differ\n";
  }
  std::string text =
      fmt::format("{} of {} vertices differ, in {} of {} frames\n", difference.vertices, vertices,
                  difference.frames, run.frames.frame_count);
  text += distance_line("rms", run.error->rms, run.error->rms_relative, mesh) + "\n";
  text +=
      distance_line("mean", run.error->mean, run.error->mean / mesh.bbox_diagonal_m, mesh) + "\n";
  text += max_lines(mesh, run, parts);
  for (const OverLimit& over : run.error->over) text += over_line(over, vertices, run.frames);
  return text;
}

namespace {

PosedRig posed(const ChosenRig& side, std::int64_t position) {
  return {side.rig, side.clip, side.frames.sample_time_s(position)};
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

// Compares the data of two rigs; none if a side is a cache.
std::optional<std::vector<RigDataDifference>> rig_data_of(const Compared& c) {
  if (!c.a.rig || !c.b.rig) return {};
  const ChosenRig &a = *c.a.rig, &b = *c.b.rig;
  std::vector<RigDataDifference> data;
  const auto add = [&](const char* kind, const std::string& name,
                       const std::vector<std::string>& found) {
    for (const std::string& what : found) data.push_back({"", kind, name, what});
  };
  add("mesh", a.rig->id, mesh_differences(*a.rig, *b.rig));
  add("nodes", "", node_differences(*a.rig->skeleton, *b.rig->skeleton));
  add("clip", a.clip == nullptr ? "" : a.clip->id,
      clip_differences(*a.rig->skeleton, a.clip, *b.rig->skeleton, b.clip));
  return data;
}

// Explains the errors by the side that is a rig; if both are, by B.
void explain_difference(const DiffOptions& options, const Compared& c, Report& report) {
  const ChosenRig& side = c.b.rig ? *c.b.rig : *c.a.rig;
  report.explain =
      explain_worst(report, static_cast<std::size_t>(options.explained),
                    ExplainedRig{side.rig, side.clip, parse_method(options.method).canonical()});
  for (Explanation& explanation : report.explain) name_other_cause(options, c, explanation);
  report.rig_data = rig_data_of(c);
}

// A line for each difference of the data of two rigs; empty if they were not compared.
std::string data_text(const Report& report) {
  if (!report.rig_data) return "";
  std::string text;
  for (const RigDataDifference& data : *report.rig_data) {
    text += "the rigs differ: " + printable(data.difference) + "\n";
  }
  return text.empty() ? "the data of both rigs are equal\n" : text;
}

}  // namespace

int diff_frames(DiffOptions options) {
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
  conclusion.summary = difference_text(report, parts_of(c)) + data_text(report) +
                       explanations_text(report) + passed_text(report);
  conclusion.differs = difference.vertices > 0;
  return conclude(options, report, std::move(conclusion));
}

}  // namespace skinbake::cli
