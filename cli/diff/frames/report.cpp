#include "diff/frames/report.h"

#include <algorithm>
#include <utility>

#include "diff/frames/ignored_sidecar.h"
#include "diff/frames/vertex_order.h"
#include "outputs/output_paths.h"
#include "skinbake/methods.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

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
  add_issues(unlike_frames(options, c.a, c.b));
  const bool is_asked = options.typed.contains("--match");
  const bool are_rigs = c.a.rig && c.b.rig;  // see require_comparable_by_index
  if (difference.vertices > 0 && !is_asked && !are_rigs) {
    add_issues(other_order(c.a, c.b, c.rig ? c.rig->rig : nullptr));
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

}  // namespace skinbake::cli
