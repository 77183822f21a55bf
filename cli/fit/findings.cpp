// The findings of a fit, and its page.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "fit/findings.h"
#include "fit/plan.h"
#include "fit/text.h"
#include "json/text.h"
#include "report/document.h"
#include "report/pages/pages.h"
#include "report/report.h"
#include "report/report_text.h"
#include "report/viewer/viewer.h"
#include "skinbake/metrics.h"
#include "terminal/console.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// "mesh 'Body', clip 'run': 0.0012 m in frame 7 at vertex 3012 exceeds 0.001 m with 64 correctives"
// for the clip with the largest error. Precondition: the bound is not met.
std::string excess_of(const FitResult& result) {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < result.clips.size(); ++i) {
    if (result.clips[i].after.max_m > result.clips[worst].after.max_m) worst = i;
  }
  const FitError& error = result.clips[worst].after;
  return fmt::format(
      "mesh '{}', clip '{}': {:.3g} m in frame {} at vertex {} exceeds the bound of {:.3g} m with "
      "{}",
      printable(result.changes.rig->id), printable(result.changes.clips[worst].clip->id),
      error.max_m, error.frame, error.vertex, result.limit_m,
      counted(result.changes.morphs.targets.size(), "corrective", "correctives"));
}

// What helps a mesh that exceeds its bound.
std::string remedy_of(const FitOptions& options, const FitResult& result) {
  if (options.best_effort) return "the best effort is written";
  bool collapses = false, can_have_helpers = false;
  for (const FitClipResult& clip : result.clips) {
    for (const FitCollapse& collapse : clip.collapses) {
      collapses = true;
      can_have_helpers = can_have_helpers || collapse.can_have_helper;
    }
  }
  std::string remedy = "no model is written: raise the bound";
  if (can_have_helpers) {
    remedy += options.helpers == 0 ? " or add --helpers 4" : " or --helpers";
  } else if (collapses) {
    remedy += " (helper joints cannot follow joints that are sheared or change their scale)";
  } else if (options.correctives) {
    remedy += " or --correctives";
  } else if (result.changes.morphs.targets.size() >=
             static_cast<std::size_t>(options.max_correctives)) {
    remedy += " or --max-correctives";
  }
  return remedy + ", or add --best-effort";
}

// A finding about a clip of the file.
struct ClipFinding {
  const Clip* clip;
  std::string text;
};

std::vector<ClipFinding> collapse_findings(const FitResult& result) {
  const Rig& rig = *result.changes.rig;
  const auto joint_name = [&](JointIndex joint) {
    const NodeIndex node = rig.joints[joint].node;
    const std::string& name = rig.skeleton->nodes[static_cast<std::size_t>(node)].name;
    return name.empty() ? fmt::format("#{}", node) : printable(name);
  };
  std::vector<ClipFinding> findings;
  for (std::size_t i = 0; i < result.clips.size(); ++i) {
    const Clip* const clip = result.changes.clips[i].clip;
    for (const FitCollapse& collapse : result.clips[i].collapses) {
      const std::string text = fmt::format(
          "mesh '{}', clip '{}': joints '{}' and '{}' are {:.0f} degrees apart in frame {}, where "
          "linear blending flattens the surface; no corrective restores {} there, the "
          "worst is vertex {} by {:.3g} m{}",
          printable(rig.id), printable(clip->id), joint_name(collapse.a), joint_name(collapse.b),
          collapse.degrees, collapse.frame,
          counted(static_cast<std::size_t>(collapse.vertices), "vertex", "vertices"),
          collapse.vertex, collapse.error_m,
          collapse.can_have_helper ? "" : "; --helpers is impossible for sheared joints");
      findings.push_back({clip, text});
    }
  }
  return findings;
}

// Clips that keep the bound in their frames, but not between them or at their end; or that exceed
// it there by a tenth more than in the frames.
std::vector<ClipFinding> between_findings(const FitResult& result) {
  std::vector<ClipFinding> findings;
  for (std::size_t i = 0; i < result.clips.size(); ++i) {
    const Clip* const clip = result.changes.clips[i].clip;
    const std::optional<FitError>& error = result.clips[i].between_after;
    const double in_frames_m = result.clips[i].after.max_m;
    const bool holds = in_frames_m <= result.limit_m;
    if (!error || !(error->max_m > (holds ? result.limit_m : 1.1 * in_frames_m))) continue;
    const std::string than =
        holds ? fmt::format("the bound of {:.3g} m, which holds in the frames", result.limit_m)
              : fmt::format("the {:.3g} m in the frames", in_frames_m);
    const std::string text = fmt::format(
        "mesh '{}', clip '{}': {:.3g} m at {:.4g} s, which is not a frame, at vertex {} exceeds {}",
        printable(result.changes.rig->id), printable(clip->id), error->max_m,
        error->time_s.value_or(0), error->vertex, than);
    findings.push_back({clip, text});
  }
  return findings;
}

// Whether the changes may move clips that have no keys of the fit. Correctives do not: their rest
// weights give the rest shape of the mesh.
bool changes_other_clips(const FitResult& result) {
  return !result.changes.helpers.empty() || !result.changes.influences.empty();
}

}  // namespace

Issues check_bounds(const FitOptions& options, const Asset& asset,
                    const std::vector<FitResult>& results) {
  Issues exceeded;
  for (const FitResult& result : results) {
    if (result.is_met) continue;
    Issue& issue = exceeded.emplace_back();
    issue.code = "FIT_BOUND_EXCEEDED";
    issue.file = asset.path;
    issue.message = excess_of(result) + "; " + remedy_of(options, result);
    log_error(issue.message + " [" + issue.code + "]");
  }
  return exceeded;
}

Issues issues_of(const FitResult& result, const std::string& file) {
  Issue collapse, between;
  collapse.code = "FIT_COLLAPSE";
  between.code = "FIT_BETWEEN_FRAMES";
  Issues issues;
  const auto add = [&](Issue issue, const ClipFinding& finding) {
    issue.file = file;
    issue.pointer = "/animations/" + std::to_string(finding.clip->index);
    issue.message = finding.text;
    issues.push_back(std::move(issue));
  };
  for (const ClipFinding& finding : collapse_findings(result)) add(collapse, finding);
  for (const ClipFinding& finding : between_findings(result)) add(between, finding);
  return issues;
}

FitLeftOut measure_others(const FitOptions& options, const Asset& asset, const FitPlan& plan,
                          const FitResult& result) {
  FitLeftOut left_out;
  left_out.is_moved = changes_other_clips(result);
  if (!left_out.is_moved) return left_out;
  LeftOutClips all = left_out_clips(options, asset, plan);
  left_out.too_long = std::move(all.too_long);
  const std::vector<FitClip>& clips = all.measurable;
  const std::vector<LeftOutErrors> errors = with_clip_remedy(
      asset.path, *plan.rig,
      "or remove the clip from the file: the fit does not contain it, but moves it too",
      [&] { return measure_left_out(plan, result.changes, clips); });
  for (std::size_t i = 0; i < clips.size(); ++i) left_out.clips.push_back({clips[i], errors[i]});
  return left_out;
}

Issues issues_of(const FitLeftOut& left_out, const FitOptions& options, const FitPlan& plan,
                 const FitResult& result, const std::string& file) {
  constexpr double kRounding = 1e-6;  // of the diagonal
  Issues issues;
  for (const FitLeftOut::Of& of : left_out.clips) {
    const auto& [before, after] = of.errors;
    if (!(after.max_m > before.max_m + kRounding * result.bbox_diagonal_m)) continue;
    Issue& issue = issues.emplace_back();
    issue.code = "FIT_CLIP_WORSE";
    issue.file = file;
    issue.pointer = "/animations/" + std::to_string(of.clip.clip->index);
    issue.message = fmt::format(
        "mesh '{}', clip '{}', which the fit does not contain: the largest distance from {} rises "
        "from {:.3g} to {:.3g} m, in frame {} at vertex {}",
        printable(plan.rig->id), printable(of.clip.clip->id),
        options.targets.empty() ? plan.method.canonical() : "linear blending of the file",
        before.max_m, after.max_m, after.frame, after.vertex);
  }
  for (const Clip* clip : left_out.too_long) {
    Issue& issue = issues.emplace_back();
    issue.code = "FIT_CLIP_UNMEASURED";
    issue.file = file;
    issue.pointer = "/animations/" + std::to_string(clip->index);
    issue.message = fmt::format(
        "mesh '{}', clip '{}', which the fit does not contain, is moved by it and not measured, "
        "because it has more than {} frames",
        printable(plan.rig->id), printable(clip->id), options.frames.max_frames);
  }
  return issues;
}

namespace {

// The runs of a clip, in the order of the page.
constexpr std::size_t kRuns = 3;

std::array<std::string, kRuns> run_names(const FitReport& fit, const FitResult& result) {
  std::string after = "lbs";
  const std::size_t helpers = result.changes.helpers.size();
  if (helpers > 0) after += " + " + counted(helpers, "helper", "helpers");
  if (result.influences) after += fmt::format(" + {} fitted influences", *fit.influences);
  const std::size_t correctives = result.changes.morphs.targets.size();
  if (correctives > 0 || after == "lbs")
    after += " + " + counted(correctives, "corrective", "correctives");
  return {"lbs", after, fit.method.empty() ? "target" : fit.method};
}

// The measurements of one clip of one mesh, and its frames if the page shows the mesh.
class ClipRuns {
 public:
  ClipRuns(const FitPlan& plan, const FitResult& result, std::size_t clip,
           std::optional<std::int64_t> stride) {
    const FrameRange& frames = plan.clips[clip].frames;
    FitSinks sinks;
    std::array<std::vector<FrameSink*>*, kRuns> of{&sinks.before, &sinks.after, &sinks.target};
    for (std::size_t i = 0; i < kRuns; ++i) {
      errors_[i] = measure_position_error(*plan.rig, frames, result.bbox_diagonal_m);
      of[i]->push_back(errors_[i].get());
      if (!stride) continue;
      recorders_[i] = record_view(*plan.rig, frames, *stride, true);
      of[i]->push_back(recorders_[i].get());
    }
    stream_fit(plan, result.changes, clip, sinks);
  }

  PositionErrorResult error(std::size_t run) const { return errors_[run]->result(); }
  ViewFrames frames(std::size_t run) { return recorders_[run]->take(); }

 private:
  std::array<std::unique_ptr<PositionErrorMetric>, kRuns> errors_;
  std::array<std::unique_ptr<ViewRecorder>, kRuns> recorders_;
};

// [clip] The stride of the frames on the page.
std::vector<std::int64_t> strides_of(const std::vector<const FitPlan*>& plans) {
  std::vector<ViewDemand> demands;
  for (const FitClip& clip : plans.front()->clips) {
    demands.push_back({clip.frames.frame_count, {}});
    for (const FitPlan* plan : plans)
      demands.back().rigs.insert(demands.back().rigs.end(), kRuns, plan->rig);
  }
  return view_strides(demands);
}

// Adds the error of a mesh in a clip to the check of a bound.
void add_error(const FitResult& result, std::size_t clip, const std::string& method, Check& check) {
  const FitError& error = result.clips[clip].after;
  const double unit_m = check.is_relative ? result.bbox_diagonal_m : 1;
  const bool is_within = error.max_m <= check.limit * unit_m;
  check.failures += !is_within;
  check.passed = check.passed && is_within;
  if (check.value && error.max_m / unit_m <= *check.value) return;
  check.value = error.max_m / unit_m;
  check.mesh = result.changes.rig->id;
  check.clip = result.changes.clips[clip].clip->id;
  check.method = method;
  check.frame = error.frame;
  check.vertex = error.vertex;
}

// A bound, with the largest error of all meshes and clips. What is added differs from mesh to mesh,
// and has the name of a method.
Check check_of(const FitReport& fit, bool is_relative) {
  Check empty;
  empty.key = "error.max";
  empty.is_relative = is_relative;
  empty.unit = is_relative ? Unit::kRatio : Unit::kMetres;
  empty.limit = is_relative ? *fit.max_error_relative : *fit.max_error_m;
  empty.passed = true;
  Check check = empty;
  std::vector<Check> methods;
  for (const FitResult& result : fit.results) {
    const std::string name = run_names(fit, result)[1];
    auto method = std::ranges::find(methods, name, &Check::method);
    if (method == methods.end()) method = methods.insert(method, empty);
    for (std::size_t i = 0; i < result.clips.size(); ++i) {
      add_error(result, i, name, check);
      add_error(result, i, name, *method);
    }
  }
  std::ranges::stable_sort(methods, std::ranges::greater(), &Check::value);
  if (methods.size() > 1) check.methods = std::move(methods);
  return check;
}

// Both bounds apply if both are given.
std::vector<Check> checks_of(const FitReport& fit) {
  std::vector<Check> checks;
  if (fit.max_error_m) checks.push_back(check_of(fit, false));
  if (fit.max_error_relative) checks.push_back(check_of(fit, true));
  return checks;
}

Report empty_report(const FitOptions& options, const FitReport& fit,
                    const std::vector<const FitPlan*>& plans) {
  Report report;
  report.command = "fit";
  report.inputs = fit.inputs;
  report.settings.fps = options.frames.fps;
  report.settings.reference = fit.method.empty() ? "target" : fit.method;
  report.per_vertex = PerVertex::kNone;
  for (const FitClip& clip : plans.front()->clips) report.clips.push_back({clip.clip, clip.frames});
  report.checks = checks_of(fit);
  report.issues = fit.issues;
  return report;
}

RunRecord run_record(const FitReport& fit, const FitClip& clip, const std::string& name,
                     PositionErrorResult error) {
  RunRecord run;
  run.clip = clip.clip->id;
  run.method = name;
  run.frames = {clip.frames, clip.clip};
  run.reference = fit.method.empty() ? "target" : fit.method;
  run.error = std::move(error);
  return run;
}

// The member `fit` of the page's document: what the terminal shows.
Json fit_member(const FitReport& fit) {
  const std::vector<std::vector<std::string>> rows = rows_of(fit);
  Json errors = Json::array();
  for (std::size_t r = 1; r < rows.size(); ++r) {
    Json& row = errors.emplace_back(Json::object());
    for (std::size_t c = 0; c < rows[r].size(); ++c) row[rows[0][c]] = rows[r][c];
  }
  return {{"errors", errors}, {"summary", lines_of(fit, fit.output ? fit.output->path : "")}};
}

// The runs before and after, and the frames of --view.
struct FitPage {
  Report report;
  View view;
};

std::shared_ptr<FitPage> page_of(const FitOptions& options, const FitReport& fit,
                                 const std::vector<const FitPlan*>& plans) {
  auto page = std::make_shared<FitPage>();
  Report& report = page->report;
  View& view = page->view;
  report = empty_report(options, fit, plans);
  view.reference = report.settings.reference;
  std::vector<std::int64_t> strides;
  if (options.reports.view) strides = strides_of(plans);
  for (std::size_t c = 0; c < plans.front()->clips.size(); ++c) {
    const FitClip& clip = plans.front()->clips[c];
    view.clips.push_back({clip.clip->id, clip.frames, {}, {}});
    if (!strides.empty()) view.clips[c].kept = thinned(clip.frames, strides[c]);
  }
  for (std::size_t m = 0; m < plans.size(); ++m) {
    const FitPlan& plan = *plans[m];
    const FitResult& result = fit.results[m];
    view.meshes.push_back(plan.rig);
    MeshRecord& mesh = report.meshes.emplace_back();
    mesh.rig = plan.rig;
    mesh.bbox_diagonal_m = result.bbox_diagonal_m;
    const std::array<std::string, kRuns> names = run_names(fit, result);
    for (std::size_t c = 0; c < plan.clips.size(); ++c) {
      std::optional<std::int64_t> stride;
      if (!strides.empty()) stride = strides[c];
      ClipRuns runs(plan, result, c, stride);
      for (std::size_t i = 0; i < kRuns; ++i) {
        mesh.runs.push_back(run_record(fit, plan.clips[c], names[i], runs.error(i)));
        if (stride) view.clips[c].runs.push_back({m, names[i], runs.frames(i)});
      }
    }
  }
  for (std::size_t c = 0; c < strides.size(); ++c) {
    ViewClip& clip = view.clips[c];
    clip.skeleton = view_skeleton(view.meshes, plans.front()->clips[c].clip, clip.kept, view.space);
  }
  return page;
}

}  // namespace

ReportTexts fit_texts(const FitOptions& options, const FitReport& fit,
                      const std::vector<const FitPlan*>& plans) {
  return [&options, &fit, plans, page = std::shared_ptr<FitPage>()](ReportForm form) mutable {
    if (form == ReportForm::kJson) return to_json(fit);
    if (page == nullptr) page = page_of(options, fit, plans);
    NamedReport named{fit.inputs.front().path, document_of(page->report)};
    named.document["fit"] = fit_member(fit);
    return to_page(form, {&named, 1}, options.reports.view ? &page->view : nullptr);
  };
}

}  // namespace skinbake::cli
