#include "surfaces/triangle_issue.h"

#include <array>
#include <utility>

#include "base/paths.h"
#include "report/report_text.h"
#include "terminal/console.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// The greatest part of the points whose partners face away. With the same files it is at most 3.5 %
// (Fox, `-sa`), and 0.2 % without `-sa`.
constexpr double kMostFacingAway = 0.1;

Issue differ(const std::string& file, std::string message) {
  Issue issue;
  issue.code = "TRIANGLES_DIFFER";
  issue.severity = Severity::kWarning;
  issue.file = shown(file);
  issue.message = std::move(message);
  return issue;
}

// "has 50 % of the area of hero.glb (0.768 of 1.54 m²)".
std::string area_text(double part_m2, double whole_m2, const std::string& whole) {
  return fmt::format("has {:.3g} % of the area of {} ({:.3g} of {:.3g} m²) in the bind pose",
                     part_m2 / whole_m2 * 100, shown(whole), part_m2, whole_m2);
}

// "40 of 60 compared points only near …".
std::string facing_text(std::int64_t away, std::int64_t points, const std::string& other) {
  return fmt::format(
      "{} of {} compared points only near a surface of {} that faces away: triangles "
      "are inside out, or one side of them is missing",
      away, points, shown(other));
}

}  // namespace

Issues triangle_issue(const TriangleDifference& difference, const std::string& a,
                      const std::string& b) {
  if (!difference.any()) return {};
  const auto text = [](std::int64_t count) {
    return counted(static_cast<std::size_t>(count), "triangle", "triangles");
  };
  Issue issue = differ(b, fmt::format("lacks {} of {}, and has {} more between the same vertices",
                                      text(difference.only_a), shown(a), text(difference.only_b)));
  issue.count = difference.only_a + difference.only_b;
  return {issue};
}

Issues surface_issues(const std::vector<SurfaceDirection>& directions, const std::string& a,
                      const std::string& b) {
  const auto [in_a, in_b] = areas_of(directions);
  // One issue for each file: issues of one code at one place would be merged.
  std::array<std::string, 2> messages;
  if (in_a < kLeastArea * in_b) messages[0] = area_text(in_a, in_b, b);
  if (in_b < kLeastArea * in_a) messages[1] = area_text(in_b, in_a, a);
  for (std::size_t d = 0; d < directions.size(); ++d) {
    const auto points = static_cast<std::int64_t>(directions[d].pairs->points.size());
    const std::int64_t away = directions[d].pairs->facing_away;
    if (static_cast<double>(away) <= kMostFacingAway * static_cast<double>(points)) continue;
    messages[d] +=
        (messages[d].empty() ? "has " : "; has ") + facing_text(away, points, d == 0 ? b : a);
  }
  Issues issues;
  for (std::size_t side = 0; side < messages.size(); ++side) {
    if (messages[side].empty()) continue;
    issues.push_back(differ(side == 0 ? a : b, std::move(messages[side])));
  }
  return issues;
}

SurfaceAreas areas_of(const std::vector<SurfaceDirection>& directions) {
  return {directions.front().area_m2, directions.front().other_area_m2};
}

namespace {

// A check that fails: `file` has `part` of the other's area, less than `least`.
void add_missing_area(const std::string& file, double part, double least, Report& report) {
  if (is_allowed(differ(file, ""))) return;
  Check check;
  check.key = kMissingArea;
  check.limit = least;
  check.value = part;
  check.failures = 1;
  check.mesh = shown(file);
  report.checks.push_back(check);
}

}  // namespace

void add_area_check(const SurfaceAreas& areas, const std::string& a, const std::string& b,
                    Report& report) {
  const bool a_is_less = areas.a_m2 < areas.b_m2;
  const double less = a_is_less ? areas.a_m2 : areas.b_m2;
  const double more = a_is_less ? areas.b_m2 : areas.a_m2;
  if (!(less < kLeastArea * more)) return;
  add_missing_area(a_is_less ? a : b, less / more, kLeastArea, report);
}

void add_facing_check(const std::vector<SurfaceDirection>& directions, const std::string& a,
                      const std::string& b, Report& report) {
  for (std::size_t d = 0; d < directions.size(); ++d) {
    const PointPairs& pairs = *directions[d].pairs;
    const double away =
        static_cast<double>(pairs.facing_away) / static_cast<double>(pairs.points.size());
    if (away > kMostFacingAway) {
      add_missing_area(d == 0 ? b : a, 1 - away, 1 - kMostFacingAway, report);
    }
  }
}

}  // namespace skinbake::cli
