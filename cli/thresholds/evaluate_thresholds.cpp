// Thresholds that are evaluated, and their text.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "base/issue.h"
#include "inspect/inspect.h"
#include "json/text.h"
#include "report/report_text.h"
#include "report/surface_report.h"
#include "skinbake/report.h"
#include "terminal/console.h"
#include "terminal/task_context.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

// The check before any run is measured.
Check unmeasured(const Threshold& threshold) {
  Check check;
  check.key = threshold.key();
  check.severity = threshold.severity;
  check.limit = threshold.limit;
  check.unit = threshold.unit();
  check.is_relative = threshold.is_relative;
  check.share_limit = threshold.share;
  check.method = threshold.method;
  return check;
}

// The part of the mesh's vertices that exceed the limit in the frame where most do; NaN if the
// limit is not a number.
double share_over(double limit_m, const Rig& rig, const RunRecord& run, Place& at) {
  for (const OverLimit& over : run.error->over) {
    if (over.limit_m != limit_m) continue;
    at = over.most_at;
    return static_cast<double>(over.most) / rig.mesh->vertex_count();
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void set_place(const Place& at, const RunRecord& run, Check& check) {
  if (at.frame < 0) return;
  check.frame = run.frames.frame(at.frame);
  check.time_s = run.frames.time_s(at.frame);
  check.pose = pose_name(run.frames.clip, *check.time_s);
  if (at.vertex >= 0) check.vertex = at.vertex;
  if (at.triangle >= 0) check.triangle = at.triangle;
  if (at.edge[0] >= 0) check.edge = at.edge;
  check.joint = at.joint;
  check.inside_face = at.inside_face;
  const auto point = worst_point(run);
  if (!point || check.vertex != point->vertex) return;
  check.inside_face = point->inside_face;
  check.joint = point->joint;
}

// How bad a value is; the limit is compared with it.
double rank_of(double value, Worse worse) {
  return worse == Worse::kFarFrom1 ? std::max(value, 1 / value) : value;
}

// A length as a part of the bind diagonal. A mesh of one point has no size: a length of 0 is 0.
double relative_number(const MetricResult& section, std::string_view key, double bbox_diagonal_m) {
  const std::optional<double> stated = number_at(section, std::string(key) + "_relative");
  if (stated) return *stated;
  const double length_m = number_at(section, key).value_or(0);
  return length_m == 0 ? 0 : length_m / bbox_diagonal_m;
}

// The check of one run; none: the number does not apply to the mesh.
std::optional<Check> check_of(const Threshold& threshold, const MeshRecord& mesh,
                              const RunRecord& run) {
  const std::vector<MetricResult> sections = sections_of(run, *mesh.rig);
  const auto section = std::ranges::find(sections, threshold.section, &MetricResult::id);
  if (section == sections.end() || !section->applies) return {};
  const std::optional<double> number = number_at(*section, threshold.field.key);
  if (!number) return {};
  Check check = unmeasured(threshold);
  Place at = place_of(*section, threshold.field.key).value_or(Place{});
  const double value = threshold.is_relative
                           ? relative_number(*section, threshold.field.key, mesh.bbox_diagonal_m)
                           : *number;
  if (!std::isnan(value)) check.value = value;
  check.rank = rank_of(value, threshold.field.worse);
  // A comparison with an infinity says nothing: it fails.
  const bool is_number = std::isfinite(check.rank) && std::isfinite(threshold.limit);
  check.passed = is_number && check.rank <= threshold.limit;
  if (threshold.share) {
    check.share = share_over(threshold.limit_of(mesh.bbox_diagonal_m), *mesh.rig, run, at);
    check.passed = is_number && *check.share <= *threshold.share;
    if (is_number) check.rank = *check.share;
  }
  check.failures = check.passed ? 0 : 1;
  check.mesh = mesh.rig->id;
  check.clip = run.clip;
  check.method = run.name();
  if (threshold.section == "error" && !run.difference) check.reference = run.reference;
  set_place(at, run, check);
  return check;
}

// A value that is not a number is worse than every number.
bool is_worse(const Check& check, const Check& than) {
  const bool is_nan = std::isnan(check.rank), is_other_nan = std::isnan(than.rank);
  return is_nan || is_other_nan ? is_nan && !is_other_nan : check.rank > than.rank;
}

// Updates the worst check of a method; of equal checks it keeps the first.
void take(const Check& measured, Check& worst) {
  const std::int64_t failures = worst.failures + measured.failures;
  if (is_worse(measured, worst)) worst = measured;
  worst.failures = failures;
  worst.passed = failures == 0;
}

// Replaces a check by the worst of its methods. The list stays if there are several.
void take_methods(Check& check) {
  std::vector<Check> methods = std::move(check.methods);
  if (methods.empty()) return;
  std::stable_sort(methods.begin(), methods.end(), is_worse);
  check = methods.front();
  for (auto other = methods.begin() + 1; other != methods.end(); ++other) take(*other, check);
  if (methods.size() > 1) check.methods = std::move(methods);
}

// How many times the limit the value is; infinite if there is no ratio. 0: the limit is kept.
double excess_of(const Check& check) {
  if (check.passed) return 0;
  const double limit = check.share_limit.value_or(check.limit);
  const bool has_ratio = std::isfinite(check.rank) && limit > 0;
  return has_ratio ? check.rank / limit : std::numeric_limits<double>::infinity();
}

// The checks of each run on its own, for the results of a batch. A run without a limit has one that
// it passes.
std::vector<TaskCheck> checks_of_runs(const Thresholds& thresholds, const Report& report) {
  std::vector<TaskCheck> checks;
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) {
      const std::size_t before = checks.size();
      for (const Threshold& threshold : thresholds.given) {
        if (!applies_to(threshold, thresholds.given, run.name())) continue;
        const std::optional<Check> check = check_of(threshold, mesh, run);
        if (!check) continue;
        checks.push_back(
            {mesh.rig->id, run.clip, run.name(), limit_text(*check),
             value_text(*check) + (check->frame ? ", frame " + std::to_string(*check->frame) : ""),
             check->passed, check->severity == CheckSeverity::kWarn, excess_of(*check)});
      }
      if (checks.size() == before) checks.push_back({mesh.rig->id, run.clip, run.name(), "", ""});
    }
  }
  return checks;
}

// False if every method has another limit in place of the threshold.
bool applies_to_any(const Threshold& threshold, const std::vector<Threshold>& given,
                    const Report& report) {
  return std::any_of(report.meshes.begin(), report.meshes.end(), [&](const MeshRecord& mesh) {
    return std::any_of(mesh.runs.begin(), mesh.runs.end(), [&](const RunRecord& run) {
      return applies_to(threshold, given, run.name());
    });
  });
}

// An issue of a mesh that does not have the number.
Issue not_applicable(const Threshold& threshold, const MeshRecord& mesh) {
  return make_issue("LIMIT_NOT_APPLICABLE", "", "/nodes/" + std::to_string(mesh.rig->node),
                    "mesh '" + mesh.rig->id + "' does not have " + threshold.key() +
                        "; its limit is not checked there",
                    1);
}

}  // namespace

Check evaluate_threshold(const Threshold& threshold, const Report& report,
                         const std::vector<Threshold>& given, Issues* issues) {
  Check check = unmeasured(threshold);
  std::optional<std::set<std::string>> failed_clips;  // of surfaces
  for (const MeshRecord& mesh : report.meshes) {
    bool is_limited = false, has_number = false;
    for (const RunRecord& run : mesh.runs) {
      if (!applies_to(threshold, given, run.name())) continue;
      is_limited = true;
      const std::optional<Check> measured = check_of(threshold, mesh, run);
      if (!measured) continue;
      has_number = true;
      if (worst_point(run) && !failed_clips) failed_clips.emplace();
      if (failed_clips && !measured->passed) failed_clips->insert(run.clip);
      const auto same_method = std::ranges::find(check.methods, measured->method, &Check::method);
      if (same_method != check.methods.end()) {
        take(*measured, *same_method);
      } else {
        check.methods.push_back(*measured);
      }
    }
    if (is_limited && !has_number && issues != nullptr) {
      issues->push_back(not_applicable(threshold, mesh));
    }
  }
  take_methods(check);
  if (failed_clips) check.failed_clips = static_cast<std::int64_t>(failed_clips->size());
  return check;
}

void evaluate_thresholds(const Thresholds& thresholds, Report& report) {
  if (TaskContext* const task = task_context()) task->checks = checks_of_runs(thresholds, report);
  for (const Threshold& threshold : thresholds.given) {
    if (!applies_to_any(threshold, thresholds.given, report)) continue;
    report.checks.push_back(
        evaluate_threshold(threshold, report, thresholds.given, &report.issues));
  }
  report.issues = sorted_unique(std::move(report.issues));
}

namespace {

// The exceeded limits and the codes of the issues that are warnings, "--warn error.max,
// CLIP_UNUSED".
std::string warning_names(const Issues& issues, const std::vector<Check>& checks) {
  std::string names;
  const auto add = [&](std::string_view name) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  };
  for (const Check& check : checks) {
    if (check.severity == CheckSeverity::kWarn && !check.passed) add("--warn " + check.key);
  }
  for (const IssueGroup& group : grouped(issues)) {
    if (group.code == "PART_NOT_READ") continue;  // the run did not ask for the part
    if (group.severity != Severity::kInfo && !is_allowed(*group.issues.front())) add(group.code);
  }
  return names;
}

}  // namespace

bool has_warnings(const Issues& issues, const std::vector<Check>& checks) {
  return !warning_names(issues, checks).empty();
}

int strict_exit_code(bool strict, const Issues& issues, const std::vector<Check>& checks) {
  if (!strict) return 0;
  const std::string names = warning_names(issues, checks);
  if (names.empty()) return 0;
  log_error("--strict: there are warnings: " + names);
  return 1;
}

std::string text_of(const Check& check) {
  const std::string place = printable(place_text(check));
  if (check.key == kMissingClip) {
    return "clip '" + printable(check.clip) + "' has no partner in " + printable(check.mesh) +
           ", and is not compared; if this is meant, --allow CLIP_UNPAIRED";
  }
  if (check.key == kFramesLeftOut) {
    return "clip '" + printable(check.clip) + "' has another length in " + printable(check.mesh) +
           ", which leaves " + value_text(check, kTerminalDigits) + "; if this is meant, --overlap";
  }
  if (check.key == kMissingArea) {
    const bool is_facing = check.limit != kLeastArea;
    return printable(check.mesh) + " has " + value_text(check) + " of the other file's area" +
           (is_facing ? ", facing the same way" : "") + ", less than " +
           with_unit(check.limit, check.unit) + "; if this is meant, --allow TRIANGLES_DIFFER";
  }
  const std::string limit = limit_text(check, kTerminalDigits);
  const std::string value = value_text(check, kTerminalDigits);
  if (check.mesh.empty()) return limit + ": " + value + ": " + place;
  const std::string times = exceeded_text(check, printable, kTerminalDigits);
  return limit + " " +
         (check.passed    ? "kept"
          : times.empty() ? "exceeded"
                          : times + "; worst") +
         ": " + value + " in " + place;
}

std::string passed_text(const Report& report) {
  std::string text;
  for (const Check& c : report.checks) {
    if (c.passed) text += text_of(c) + "\n";
  }
  return text;
}

void log_checks(const Report& report) {
  for (const Check& c : report.checks) {
    if (c.passed) continue;
    const std::string line = text_of(c);
    c.severity == CheckSeverity::kFail ? log_error(line) : log_warning(line);
  }
}

}  // namespace skinbake::cli
