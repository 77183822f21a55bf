// The tables that `fit` prints.

#include <algorithm>
#include <utility>

#include "fit/text.h"
#include "json/text.h"
#include "report/report_text.h"
#include "terminal/format.h"
#include "terminal/table.h"

namespace skinbake::cli {

namespace {

using Row = std::vector<std::string>;
using Lines = std::vector<std::string>;

std::string metres(double length) {
  return fmt::format("{:.3g}", length);
}

// What both kinds of rows have: the errors of a clip of a mesh.
struct ClipErrors {
  const Clip* clip;
  std::int64_t frames;
  FitError before, after;
  std::optional<FitError> between;
  const char* use;  // of the clip
};

Row row_of(const FitResult& result, const ClipErrors& of) {
  return {printable(result.changes.rig->id), printable(of.clip->id), fmt::format("{}", of.frames),
          fmt::format("{}", result.changes.morphs.targets.size()), metres(of.before.rms_m),
          metres(of.before.max_m), metres(of.after.rms_m), metres(of.after.max_m),
          // The vertices of a mesh can all be at one point.
          result.bbox_diagonal_m > 0
              ? fmt::format("{:.4f} %", 100 * of.after.max_m / result.bbox_diagonal_m)
              : "-",
          fmt::format("{}", of.after.frame), fmt::format("{}", of.after.vertex),
          of.between ? metres(of.between->max_m) : "-", of.use};
}

}  // namespace

std::vector<std::vector<std::string>> rows_of(const FitReport& report) {
  std::vector<Row> rows{{"mesh", "clip", "frames", "correctives", "rms before (m)",
                         "max before (m)", "rms (m)", "max (m)", "of bind diagonal", "frame",
                         "vertex", "between (m)", "clip is"}};
  for (std::size_t m = 0; m < report.results.size(); ++m) {
    const FitResult& result = report.results[m];
    for (std::size_t i = 0; i < result.clips.size(); ++i) {
      const FitClipResult& clip = result.clips[i];
      const ClipKeys& keys = result.changes.clips[i];
      rows.push_back(row_of(result, {keys.clip, keys.frames.frame_count, clip.before, clip.after,
                                     clip.between_after, "trained"}));
    }
    for (const FitLeftOut::Of& of : report.left_out[m].clips) {
      rows.push_back(row_of(result, {of.clip.clip,
                                     of.clip.frames.frame_count,
                                     of.errors.before,
                                     of.errors.after,
                                     {},
                                     "left out"}));
    }
  }
  return rows;
}

std::string table_of(const FitReport& report) {
  return table_text(rows_of(report), "llrrrrrrrrrrl");
}

namespace {

// Why a mesh has fewer correctives than requested.
void add_fewer(const FitReport& report, const FitResult& result, Lines& lines) {
  const std::optional<FewerCorrectives> reason = fewer_correctives(report, result);
  if (!reason) return;
  const std::string why = *reason == FewerCorrectives::kFrames
                              ? fmt::format("one for each of the {} frames from which they follow",
                                            result.corrective_frames)
                              : "no other moves a vertex nearer to the target";
  lines.push_back(
      fmt::format("{}: {} instead of {}: {}", printable(result.changes.rig->id),
                  counted(result.changes.morphs.targets.size(), "corrective", "correctives"),
                  *report.correctives, why));
}

std::string joints_text(std::size_t count) {
  return counted(count, "helper joint", "helper joints");
}

// "arm: adds 4 correctives (36612 bytes), 2 helper joints with new influences (8120 bytes)"
void add_bytes(const RigChanges& changes, const FitBytes& bytes, bool is_written, Lines& lines) {
  std::string text;
  if (!changes.morphs.empty()) {
    text = fmt::format("{} ({} bytes)",
                       counted(changes.morphs.targets.size(), "corrective", "correctives"),
                       bytes.correctives);
  }
  if (!changes.influences.empty()) {
    if (!text.empty()) text += ", ";
    if (!changes.helpers.empty()) text += joints_text(changes.helpers.size()) + " with ";
    text += fmt::format("new influences ({} bytes)", bytes.joints);
  }
  if (text.empty()) return;
  lines.push_back(printable(changes.rig->id) + (is_written ? ": adds " : ": would add ") + text);
}

// How many vertices of a rig have more than `most` influences.
std::size_t vertices_above(const Rig& rig, int most) {
  std::size_t count = 0;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    count += rig.influences_of(v).size() > static_cast<std::size_t>(most) ? 1 : 0;
  }
  return count;
}

// Of the report's influences.
void add_influences(const FitResult& result, const FitReport& report, Lines& lines) {
  const int most = *report.influences;
  const std::string mesh = printable(result.changes.rig->id);
  const InfluenceFitErrors& fit = *result.influences;
  const std::size_t reduced = vertices_above(*result.changes.rig, most);
  if (fit.vertices_fitted == 0 && reduced == 0) {
    lines.push_back(
        fmt::format("{}: the influences stay: no vertex has more than {}, and no other weights "
                    "come nearer to the target",
                    mesh, most));
    return;
  }
  const auto add = [&](std::string_view frames, const FitComparison& c) {
    lines.push_back(fmt::format(
        "{}: influences of {} fitted, {} had more than {}, {}: rms {:.3g}, max {:.3g} m; by the "
        "largest weights {:.3g} and {:.3g} m",
        mesh, counted(static_cast<std::size_t>(fit.vertices_fitted), "vertex", "vertices"), reduced,
        most, frames, c.fit.rms_m, c.fit.max_m, c.largest.rms_m, c.largest.max_m));
  };
  const bool is_alone = result.clips.size() == 1 && report.influences_training.size() == 1;
  std::string motions;
  for (const std::string& name : report.influences_training) {
    motions += (motions.empty() ? "" : " and ") + name;
  }
  add("trained by " + motions, fit.trained);
  if (!fit.left_out) return;
  add(is_alone ? "left out by half seconds" : "clips left out in turn", *fit.left_out);
}

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

// Whether helper joints or correctives alone were chosen, with the reason.
void add_choice(const FitResult& result, const FitChoice& choice, Lines& lines) {
  const auto& [chosen, other] = choice.has_helpers
                                    ? std::pair{choice.with_helpers, choice.without_helpers}
                                    : std::pair{choice.without_helpers, choice.with_helpers};
  lines.push_back(fmt::format("{}: chosen: {}, instead of {}: {}",
                              printable(result.changes.rig->id), alternative_text(chosen),
                              alternative_text(other), reason_text(choice.reason)));
}

// A line that says which errors are measured on training frames, if the table does not.
void add_left_out(const FitResult& result, const FitLeftOut& left_out, Lines& lines) {
  const std::string mesh = printable(result.changes.rig->id);
  if (!left_out.too_long.empty()) {
    const bool is_none_measured = left_out.clips.empty();
    lines.push_back(fmt::format(
        "{}: {} left out and not measured, because of --max-frames{}", mesh,
        counted(left_out.too_long.size(), "clip was", "clips were"),
        is_none_measured ? ": the errors are measured on the frames that the fit learned from"
                         : ""));
  } else if (left_out.is_moved && left_out.clips.empty()) {
    lines.push_back(
        mesh +
        ": no clip was left out: the errors are measured on the frames that the fit learned from; "
        "for others, omit a clip from --clip (skinbake retarget adds one)");
  } else if (!left_out.is_moved && !result.changes.morphs.empty()) {
    const bool has_between =
        std::any_of(result.clips.begin(), result.clips.end(),
                    [](const FitClipResult& clip) { return clip.between_after.has_value(); });
    lines.push_back(mesh + ": the errors are measured on the frames that the fit learned from" +
                    (has_between ? ", 'between' at other instants" : "") +
                    "; the correctives are at rest in other clips");
  }
}

void add_output(const FitReport& report, const std::string& path, Lines& lines) {
  const FitOutput& output = *report.output;
  lines.push_back(fmt::format("{}: {} bytes, {} of them added; a float32 cache has {}",
                              printable(path), output.bytes, output.added_bytes,
                              cache_bytes(report.results)));
  if (!output.read_back) return;
  const auto& [mesh, clip, error] = *output.read_back;
  lines.push_back(fmt::format(
      "{}: read back, largest error {:.3g} m (mesh '{}', clip '{}', frame {}, vertex "
      "{})",
      printable(path), error.max_m, printable(mesh), printable(clip), error.frame, error.vertex));
}

}  // namespace

std::vector<std::string> lines_of(const FitReport& report, const std::string& path) {
  Lines lines;
  for (std::size_t m = 0; m < report.results.size(); ++m) {
    const FitResult& result = report.results[m];
    add_fewer(report, result, lines);
    add_bytes(result.changes, report.bytes[m], report.output.has_value(), lines);
    if (result.influences) add_influences(result, report, lines);
    if (report.choices[m]) add_choice(result, *report.choices[m], lines);
    add_left_out(result, report.left_out[m], lines);
  }
  if (report.output) add_output(report, path, lines);
  return lines;
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
