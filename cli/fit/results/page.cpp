#include "fit/results/page.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "fit/results/text.h"
#include "report/document.h"
#include "report/pages/pages.h"
#include "report/report.h"
#include "report/report_text.h"
#include "report/viewer/viewer.h"
#include "skinbake/metrics.h"
#include "terminal/format.h"

namespace skinbake::cli {

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

// A bound, with the largest error of all meshes and clips.
Check check_of(const FitReport& fit, bool is_relative) {
  Check check;
  check.key = "error.max";
  check.is_relative = is_relative;
  check.unit = is_relative ? Unit::kRatio : Unit::kMetres;
  check.limit = is_relative ? *fit.max_error_relative : *fit.max_error_m;
  check.passed = true;
  double worst = -1;
  for (const FitResult& result : fit.results) {
    const double limit_m = is_relative ? check.limit * result.bbox_diagonal_m : check.limit;
    for (std::size_t i = 0; i < result.clips.size(); ++i) {
      const FitError& error = result.clips[i].after;
      check.failures += error.max_m > limit_m;
      check.passed = check.passed && error.max_m <= limit_m;
      if (error.max_m / limit_m <= worst) continue;
      worst = error.max_m / limit_m;
      check.value = is_relative ? error.max_m / result.bbox_diagonal_m : error.max_m;
      check.mesh = result.changes.rig->id;
      check.clip = result.changes.clips[i].clip->id;
      check.method = run_names(fit, result)[1];
      check.frame = error.frame;
      check.vertex = error.vertex;
    }
  }
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
