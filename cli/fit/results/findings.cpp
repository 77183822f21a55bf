#include "fit/results/findings.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fit/clip_errors.h"
#include "fit/plan/mesh_fit.h"
#include "json/text.h"
#include "report/report_text.h"
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

}  // namespace skinbake::cli
