#include "surfaces/text.h"

#include <algorithm>
#include <set>
#include <utility>

#include "comparison/stated_frames.h"
#include "json/text.h"
#include "report/report_text.h"
#include "terminal/format.h"
#include "terminal/table.h"

namespace skinbake::cli {

namespace {

constexpr std::size_t kClipsShown = 20, kJointsShown = 5;

using Rows = std::vector<std::vector<std::string>>;

std::string metres(double value) {
  return fmt::format("{:.4g} m", value);
}

std::string percent(double value, double diagonal_m) {
  return fmt::format("{:.3g} %", value / diagonal_m * 100);
}

std::string clip_name(const RunRecord& run) {
  return run.clip.empty() ? "rest pose" : "'" + printable(run.clip) + "'";
}

std::string match_line(const MatchedSurfaces& matched) {
  return "match: " + std::string(to_string(matched.match)) +
         (matched.reason.empty() ? "" : ": " + matched.reason) + "\n";
}

std::string side_line(const SurfaceSide& side, const BindSurface& surface, double area_m2,
                      const PointPairs* pairs) {
  std::string line = fmt::format(
      "{}  {}: {} vertices, {} of {:.4g} m²", side.role, printable(side.path),
      surface.vertex_count(), counted(surface.triangles.size(), "triangle", "triangles"), area_m2);
  if (pairs != nullptr && pairs->points.size() > surface.vertex_count()) {
    line += fmt::format(", compared at {} points", pairs->points.size());
  }
  if (pairs != nullptr && pairs->facing_away > 0) {
    line += fmt::format("; {} of them only near a surface that faces away", pairs->facing_away);
  }
  return line + "\n";
}

// The clips with the largest errors.
std::set<std::size_t> shown_clips(const SurfaceComparison& c) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t r = 0; r < c.clips.pairs.size(); ++r) {
    double max = 0;
    for (const MeshRecord& mesh : c.meshes) max = std::max(max, mesh.runs[r].error->max);
    ranked.emplace_back(-max, r);
  }
  std::sort(ranked.begin(), ranked.end());
  std::set<std::size_t> shown;
  for (const auto& [max, r] : ranked) {
    if (shown.size() < kClipsShown) shown.insert(r);
  }
  return shown;
}

void add_rows(const SurfaceComparison& c, std::size_t d, const std::set<std::size_t>& shown,
              Rows& rows) {
  const SurfaceDirection& direction = c.directions[d];
  const double diagonal = c.surfaces.a.diagonal_m;
  const PairDistance& rest = direction.at_rest;
  rows.push_back({std::string(direction.name), "at rest", metres(rest.rms), metres(rest.max),
                  percent(rest.max, diagonal),
                  point_text(direction, static_cast<std::int64_t>(rest.worst))});
  for (const std::size_t r : shown) {
    const RunRecord& run = c.meshes[d].runs[r];
    const PositionErrorResult& error = *run.error;
    rows.push_back({std::string(direction.name), clip_name(run), metres(error.rms),
                    metres(error.max), percent(error.max, diagonal),
                    frame_text(run.frames, error.max_at.frame) + ", " +
                        point_text(direction, error.max_at.vertex)});
  }
}

// "compared: 3 clips, 211 of the 212 frames of A; 1 clip of A has no partner".
std::string frames_line(const SurfaceComparison& c) {
  std::int64_t compared = 0, of_a = 0, of_b = 0;
  for (const ClipPair& pair : c.clips.pairs) {
    compared += pair.frame_count;
    of_a += pair.a->frames.frame_count;
    of_b += pair.b->frames.frame_count;
  }
  const std::string clips = counted(c.clips.pairs.size(), "clip", "clips");
  std::string frames = compared == of_a ? counted(static_cast<std::size_t>(of_a), "frame", "frames")
                                        : fmt::format("{} of the {} frames of A", compared, of_a);
  if (compared < of_b) {
    frames += compared == of_a ? fmt::format(" of the {} of B", of_b)
                               : fmt::format(" and of the {} of B", of_b);
  }
  const std::size_t missing = c.clips.missing.size();
  return "compared: " + clips + ", " + frames +
         (missing == 0
              ? ""
              : "; " + counted(missing, "clip of A has", "clips of A have") + " no partner") +
         "\n";
}

// The joints with the largest errors over all clips and both directions.
std::string joints_line(const SurfaceComparison& c) {
  std::vector<std::pair<double, std::string>> ranked;
  for (std::size_t d = 0; d < c.directions.size(); ++d) {
    for (const RunRecord& run : c.meshes[d].runs) {
      for (const JointError& joint : joint_errors(c.directions[d], *run.error)) {
        ranked.emplace_back(-joint.max, c.directions[d].joint_names[joint.joint]);
      }
    }
  }
  std::sort(ranked.begin(), ranked.end());
  std::set<std::string> named;
  std::string text;
  for (const auto& [max, name] : ranked) {
    if (named.size() == kJointsShown || max == 0) break;
    if (!named.insert(name).second) continue;
    text += (text.empty() ? "joints: " : ", ") + ("'" + printable(name) + "' ") +
            percent(-max, c.surfaces.a.diagonal_m);
  }
  return text.empty() ? "" : text + "\n";
}

// The Hausdorff distance at rest and the largest of all clips; empty if it was not measured.
std::string hausdorff_line(const SurfaceComparison& c) {
  const RunRecord* worst = nullptr;
  double max = -1;
  for (const RunRecord& run : c.meshes.front().runs) {
    const double value = hausdorff_max(run);
    if (value <= max) continue;
    max = value;
    worst = &run;
  }
  if (worst == nullptr) return "";
  const double diagonal = c.surfaces.a.diagonal_m;
  return "Hausdorff distance at most " + percent(c.at_rest.upper, diagonal) + " at rest, " +
         percent(max, diagonal) + " in motion (" + clip_name(*worst) + ")\n";
}

// The larger direction at rest, and the largest of all runs.
std::string result_line(const SurfaceComparison& c) {
  double at_rest = 0;
  const RunRecord* worst = nullptr;
  std::size_t of = 0;
  for (std::size_t d = 0; d < c.directions.size(); ++d) {
    at_rest = std::max(at_rest, c.directions[d].at_rest.max);
    for (const RunRecord& run : c.meshes[d].runs) {
      if (worst != nullptr && !(run.error->max > worst->error->max)) continue;
      worst = &run;
      of = d;
    }
  }
  const double diagonal = c.surfaces.a.diagonal_m;
  std::string text = "at rest " + percent(at_rest, diagonal);
  if (worst != nullptr) {
    const PositionErrorResult& error = *worst->error;
    text += ", in motion " + percent(error.max, diagonal);
    if (error.max > 0) {
      text += fmt::format(" ({}, {}, {})", clip_name(*worst),
                          frame_text(worst->frames, error.max_at.frame),
                          point_text(c.directions[of], error.max_at.vertex));
    }
  }
  return text + " of the diagonal\n";
}

}  // namespace

std::string placement_line(const SurfaceComparison& c) {
  if (!c.placement) return "";
  const OtherPlacement& placement = *c.placement;
  return fmt::format(
      "placed at bind by joint '{}': by the heaviest, '{}', the files would be {} ({}) apart, "
      "because its bind matrices or its places at rest differ\n",
      printable(placement.joint), printable(placement.heaviest), metres(placement.apart_m),
      percent(placement.apart_m, c.surfaces.a.diagonal_m));
}

std::string point_text(const SurfaceDirection& direction, std::int64_t point) {
  const auto p = static_cast<std::size_t>(point);
  std::string text = "joint '" + printable(direction.joint_at(p)) + "'";
  if (p < direction.of->positions.size()) text += fmt::format(", vertex {}", p);
  return text;
}

double hausdorff_max(const RunRecord& run) {
  for (const MetricResult& result : run.metrics) {
    if (result.id != "hausdorff") continue;
    for (const SectionField& field : result.fields) {
      if (field.key == "max") return std::get<double>(field.value);
    }
  }
  return -1;
}

std::string surface_text(const SurfaceComparison& c) {
  const PointPairs* b_to_a = c.matched.b_to_a ? &*c.matched.b_to_a : nullptr;
  const std::set<std::size_t> shown = shown_clips(c);
  Rows rows{{"", "", "rms", "max", "of the diagonal", "where"}};
  for (std::size_t d = 0; d < c.directions.size(); ++d) add_rows(c, d, shown, rows);
  const SurfaceDirection& of_a = c.directions.front();
  std::string text = match_line(c.matched) + placement_line(c) +
                     side_line(c.a, c.surfaces.a, of_a.area_m2, &c.matched.a_to_b) +
                     side_line(c.b, c.surfaces.b, of_a.other_area_m2, b_to_a) +
                     table_text(rows, "llrrrl");
  if (shown.size() < c.clips.pairs.size()) {
    text += fmt::format("… and {} more clips, whose errors are smaller\n",
                        c.clips.pairs.size() - shown.size());
  }
  return text + frames_line(c) + joints_line(c) + hausdorff_line(c) + result_line(c);
}

}  // namespace skinbake::cli
