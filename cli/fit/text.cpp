#include "fit/text.h"

#include <algorithm>
#include <utility>

#include "skinbake/tool/printable.h"
#include "skinbake/tool/report_text.h"
#include "terminal/format.h"
#include "terminal/table.h"

namespace skinbake::cli {

namespace {

std::string metres(double length) {
  return fmt::format("{:.3g}", length);
}

std::string between(const std::optional<FitError>& error) {
  return error ? metres(error->max_m) : "-";
}

std::vector<std::string> row_of(const FitResult& result, std::size_t clip) {
  const FitClipResult& of = result.clips[clip];
  const ClipKeys& keys = result.changes.clips[clip];
  return {printable(result.changes.rig->id),
          printable(keys.clip->id),
          fmt::format("{}", keys.frames.frame_count),
          fmt::format("{}", result.changes.morphs.targets.size()),
          metres(of.before.rms_m),
          metres(of.before.max_m),
          metres(of.after.rms_m),
          metres(of.after.max_m),
          fmt::format("{:.4f} %", 100 * of.after.max_m / result.bbox_diagonal_m),
          fmt::format("{}", of.after.frame),
          fmt::format("{}", of.after.vertex),
          between(of.between_after)};
}

}  // namespace

std::string table_of(std::span<const FitResult> results) {
  std::vector<std::vector<std::string>> rows{
      {"mesh", "clip", "frames", "correctives", "rms before (m)", "max before (m)", "rms (m)",
       "max (m)", "of diagonal", "frame", "vertex", "between (m)"}};
  for (const FitResult& result : results) {
    for (std::size_t clip = 0; clip < result.clips.size(); ++clip) {
      rows.push_back(row_of(result, clip));
    }
  }
  return table_text(rows, "llrrrrrrrrrr");
}

namespace {

std::string joints_text(std::size_t count) {
  return counted(count, "helper joint", "helper joints");
}

// How many vertices of a rig have more than `most` influences.
std::size_t vertices_above(const Rig& rig, int most) {
  std::size_t count = 0;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    count += rig.influences_of(v).size() > static_cast<std::size_t>(most) ? 1 : 0;
  }
  return count;
}

// `most`: of a vertex, as asked for.
std::string influences_text(const FitResult& result, int most) {
  const std::string mesh = printable(result.changes.rig->id);
  const InfluenceFitErrors& fit = *result.influences;
  const std::size_t reduced = vertices_above(*result.changes.rig, most);
  if (fit.vertices_fitted == 0 && reduced == 0) {
    return fmt::format(
        "{}: the influences stay: no vertex has more than {}, and no other weights "
        "come nearer to the target\n",
        mesh, most);
  }
  std::string text;
  const auto line = [&](std::string_view frames, const FitComparison& c) {
    text += fmt::format(
        "{}: influences of {} fitted, {} had more than {}, {}: rms {:.3g}, max {:.3g} m; by the "
        "largest weights {:.3g} and {:.3g} m\n",
        mesh, counted(static_cast<std::size_t>(fit.vertices_fitted), "vertex", "vertices"), reduced,
        most, frames, c.fit.rms_m, c.fit.max_m, c.largest.rms_m, c.largest.max_m);
  };
  line("trained", fit.trained);
  if (fit.left_out) line("left out", *fit.left_out);
  return text;
}

}  // namespace

std::string joints_of(const FitReport& report) {
  std::string text;
  for (const FitResult& result : report.results) {
    const std::size_t helpers = result.changes.helpers.size();
    if (helpers > 0) text += printable(result.changes.rig->id) + ": " + joints_text(helpers) + "\n";
    if (result.influences) text += influences_text(result, *report.influences);
  }
  return text;
}

namespace {

std::string alternative_text(const FitAlternative& one) {
  const std::string helpers = one.helpers == 0 ? "" : joints_text(one.helpers) + " and ";
  return fmt::format("{}{} ({} bytes, {:.3g} m)", helpers,
                     counted(one.correctives, "corrective", "correctives"), one.added_bytes,
                     one.max_m);
}

const char* reason_text(FitChoice::Reason reason) {
  switch (reason) {
    case FitChoice::Reason::kFewerBytes:
      return "both keep the bound, and this has fewer bytes";
    case FitChoice::Reason::kOnlyWithinBound:
      return "only this keeps the bound";
    case FitChoice::Reason::kSmallerError:
      break;
  }
  return "neither keeps the bound, and this has the smaller error";
}

}  // namespace

std::string choices_of(const FitReport& report) {
  std::string text;
  for (std::size_t m = 0; m < report.choices.size(); ++m) {
    if (!report.choices[m]) continue;
    const FitChoice& choice = *report.choices[m];
    const auto& [chosen, other] = choice.has_helpers
                                      ? std::pair{choice.with_helpers, choice.without_helpers}
                                      : std::pair{choice.without_helpers, choice.with_helpers};
    text += fmt::format("{}: chosen: {}, instead of {}: {}\n",
                        printable(report.results[m].changes.rig->id), alternative_text(chosen),
                        alternative_text(other), reason_text(choice.reason));
  }
  return text;
}

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

namespace {

std::vector<std::string> collapse_texts(const FitResult& result) {
  const Rig& rig = *result.changes.rig;
  const auto joint_name = [&](JointIndex joint) {
    const NodeIndex node = rig.joints[joint].node;
    const std::string& name = rig.skeleton->nodes[static_cast<std::size_t>(node)].name;
    return name.empty() ? fmt::format("#{}", node) : printable(name);
  };
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < result.clips.size(); ++i) {
    for (const FitCollapse& collapse : result.clips[i].collapses) {
      texts.push_back(fmt::format(
          "mesh '{}', clip '{}': joints '{}' and '{}' are {:.0f} degrees apart in frame {}, where "
          "linear blending flattens the surface; no corrective restores {} vertices there, the "
          "worst is vertex {} by {:.3g} m",
          printable(rig.id), printable(result.changes.clips[i].clip->id), joint_name(collapse.a),
          joint_name(collapse.b), collapse.degrees, collapse.frame, collapse.vertices,
          collapse.vertex, collapse.error_m));
    }
  }
  return texts;
}

// Clips that keep the bound in their frames, but not halfway between them.
std::vector<std::string> between_texts(const FitResult& result) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; result.is_met && i < result.clips.size(); ++i) {
    const std::optional<FitError>& error = result.clips[i].between_after;
    if (!error || !(error->max_m > result.limit_m)) continue;
    texts.push_back(fmt::format(
        "mesh '{}', clip '{}': {:.3g} m halfway between two frames at vertex {} exceeds the bound "
        "of {:.3g} m, which holds in the frames",
        printable(result.changes.rig->id), printable(result.changes.clips[i].clip->id),
        error->max_m, error->vertex, result.limit_m));
  }
  return texts;
}

}  // namespace

Issues issues_of(const FitResult& result, const std::string& file) {
  Issues issues;
  for (const std::string& text : collapse_texts(result)) {
    Issue& issue = issues.emplace_back();
    issue.code = "FIT_COLLAPSE";
    issue.file = file, issue.message = text;
  }
  for (const std::string& text : between_texts(result)) {
    Issue& issue = issues.emplace_back();
    issue.code = "FIT_BETWEEN_FRAMES";
    issue.file = file, issue.message = text;
  }
  return issues;
}

std::uint64_t cache_bytes(std::span<const FitResult> results) {
  std::uint64_t bytes = 0;
  for (const FitResult& result : results) {
    for (const ClipKeys& keys : result.changes.clips) {
      bytes += std::uint64_t{12} * result.changes.rig->mesh->vertex_count() *
               static_cast<std::uint64_t>(keys.frames.frame_count);
    }
  }
  return bytes;
}

}  // namespace skinbake::cli
