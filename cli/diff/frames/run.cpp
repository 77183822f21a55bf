#include "diff/frames/run.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compare/explain.h"
#include "compare/rig_data.h"
#include "compare/tables.h"
#include "diff/conclusion.h"
#include "diff/frames/compared.h"
#include "diff/frames/report.h"
#include "diff/frames/text.h"
#include "json/text.h"
#include "skinbake/methods.h"
#include "terminal/progress.h"
#include "thresholds/threshold_text.h"

namespace skinbake::cli {

namespace {

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
