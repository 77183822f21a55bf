#include "diff/frames/text.h"

#include <algorithm>
#include <cmath>

#include "json/text.h"
#include "terminal/format.h"

namespace skinbake::cli {

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
      "{}, frame {}, vertex {}\n  a {}\n  b {}\n"
      "in that frame  p50 {:.6g} m, p95 {:.6g} m, p99 {:.6g} m\n",
      distance_line("max", error.max, error.max_relative, mesh),
      run.frames.frame(error.max_at.frame), vertex_text(error.max_at.vertex, parts),
      point_text(difference.a_at_max), point_text(difference.b_at_max), error.per_frame.p50[at],
      error.per_frame.p95[at], error.per_frame.p99[at]);
}

std::string over_line(const OverLimit& over, std::int64_t vertices, const FrameRange& frames) {
  std::string line =
      fmt::format("over {:.6g} m  {} of {} vertices, in {} of {} frames", over.limit_m,
                  over.vertices, vertices, over.frames, frames.frame_count);
  if (over.most > 0) {
    line += fmt::format("; most in frame {}: {} ({})", frames.frame(over.most_at.frame), over.most,
                        percent(static_cast<double>(over.most) / static_cast<double>(vertices)));
  }
  return line + "\n";
}

}  // namespace

bool have_other_triangles(const Report& report) {
  return std::any_of(report.issues.begin(), report.issues.end(),
                     [](const Issue& issue) { return issue.code == "TRIANGLES_DIFFER"; });
}

std::string difference_text(const Report& report, const std::vector<CachePart>& parts) {
  const MeshRecord& mesh = report.meshes.front();
  const RunRecord& run = mesh.runs.front();
  const Difference& difference = *run.difference;
  const std::int64_t vertices = mesh.rig->mesh->vertex_count();
  const std::string counts =
      fmt::format("{} frames of {} vertices", run.frames.frame_count, vertices);
  const std::string triangles = have_other_triangles(report) ? "; the triangles differ" : "";
  if (difference.identical) {
    return (triangles.empty() ? "identical: " : "identical positions: ") + counts + triangles +
           "\n";
  }
  if (difference.vertices == 0) {
    return "equal: " + counts + "; only bytes" + (triangles.empty() ? "" : " and triangles") +
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

}  // namespace skinbake::cli
