#include "thresholds/evaluate_thresholds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "inspect/inspect.h"
#include "report/report_text.h"
#include "report/surface_report.h"
#include "task/task_context.h"
#include "terminal/console.h"

namespace skinbake::cli {

namespace {

// A run's worst value of one metric. Functions return none if the run does not have the metric.
struct Worst {
  double value;
  Place at;
};

struct WorstOf {
  const char* metric;
  std::optional<Worst> (*worst)(const RunRecord&);
};

template <auto kValue>
std::optional<Worst> worst_error(const RunRecord& run) {
  if (!run.error) return {};
  return Worst{(*run.error).*kValue, {}};
}

template <auto kValue>
std::optional<Worst> worst_vertex(const RunRecord& run) {
  if (!run.error) return {};
  return Worst{(*run.error).*kValue, run.error->max_at};
}

constexpr std::array kWorst{
    WorstOf{"error.max", worst_vertex<&PositionErrorResult::max>},
    WorstOf{"error.rms", worst_error<&PositionErrorResult::rms>},
    WorstOf{"error.max_relative", worst_vertex<&PositionErrorResult::max_relative>},
    WorstOf{"error.rms_relative", worst_error<&PositionErrorResult::rms_relative>},
    WorstOf{"volume.max_loss",
            [](const RunRecord& run) -> std::optional<Worst> {
              if (!run.volume) return {};
              // Solid parts whose volumes cancel have no loss of the whole: nothing is known of it.
              if (!run.volume->total && run.volume->components.empty()) return {};
              if (!run.volume->total) return Worst{std::numeric_limits<double>::quiet_NaN(), {}};
              return Worst{run.volume->total->max_loss, run.volume->total->max_loss_at};
            }},
};

// The frame in which the most vertices exceed a threshold's vertex_limit.
std::optional<Worst> most_over(const Threshold& threshold, const MeshRecord& mesh,
                               const RunRecord& run) {
  if (!run.error) return {};
  const double limit_m = threshold.vertex_limit_m(mesh.bbox_diagonal_m);
  const std::vector<OverLimit>& all = run.error->over;
  const auto over = std::find_if(all.begin(), all.end(),
                                 [&](const OverLimit& o) { return o.limit_m == limit_m; });
  // A limit that is not a finite number is exceeded.
  if (over == all.end()) return Worst{std::numeric_limits<double>::quiet_NaN(), {}};
  return Worst{static_cast<double>(over->most) / mesh.rig->mesh->vertex_count(), over->most_at};
}

std::optional<Worst> worst_of(const Threshold& threshold, const MeshRecord& mesh,
                              const RunRecord& run) {
  if (threshold.metric == kOver) return most_over(threshold, mesh, run);
  return std::find_if(kWorst.begin(), kWorst.end(),
                      [&](const WorstOf& w) { return threshold.metric == w.metric; })
      ->worst(run);
}

// The check before any run is measured.
Check unmeasured(const Threshold& threshold) {
  Check check;
  check.option = threshold.option;
  if (!threshold.method.empty()) check.option += " " + threshold.method;
  check.method = threshold.method;
  check.severity = threshold.severity;
  check.metric = threshold.metric;
  check.limit = threshold.limit;
  check.unit = threshold.unit;
  return check;
}

// The check of one run.
Check measured_of(const Threshold& threshold, const MeshRecord& mesh, const RunRecord& run,
                  const Worst& worst) {
  Check check = unmeasured(threshold);
  if (!std::isnan(worst.value)) check.value = worst.value;
  // A comparison with an infinity says nothing: it fails.
  check.passed = std::isfinite(worst.value) && std::isfinite(threshold.limit) &&
                 worst.value <= threshold.limit;
  check.failures = check.passed ? 0 : 1;
  if (threshold.metric == kOver) {
    const double limit_m = threshold.vertex_limit_m(mesh.bbox_diagonal_m);
    if (std::isfinite(limit_m)) check.vertex_limit_m = limit_m;
  }
  check.mesh = mesh.rig->id;
  check.clip = run.clip;
  check.method = run.name();
  if (worst.at.frame >= 0) {
    check.frame = run.frames.frame(worst.at.frame);
    check.pose = run.frames.pose_name(*check.frame);
    check.fps = run.frames.fps;
  }
  if (worst.at.vertex >= 0) check.vertex = worst.at.vertex;
  if (const auto point = worst_point(run); point && check.vertex == point->index) {
    check.inside_face = point->inside_face;
    check.joint = point->joint;
  }
  return check;
}

// A value that is not a number is worse than every number.
bool is_worse(const Check& check, const Check& than) {
  if (!check.value || !than.value) return !check.value && than.value;
  return *check.value > *than.value;
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

}  // namespace

Check evaluate_threshold(const Threshold& threshold, const Report& report,
                         const std::vector<Threshold>& given) {
  Check check = unmeasured(threshold);
  std::optional<std::set<std::string>> failed_clips;  // of surfaces
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) {
      if (!applies_to(threshold, given, run.name())) continue;
      const auto worst = worst_of(threshold, mesh, run);
      if (!worst) continue;
      const Check measured = measured_of(threshold, mesh, run, *worst);
      if (worst_point(run) && !failed_clips) failed_clips.emplace();
      if (failed_clips && !measured.passed) failed_clips->insert(run.clip);
      const auto same_method =
          std::find_if(check.methods.begin(), check.methods.end(),
                       [&](const Check& of) { return of.method == measured.method; });
      if (same_method != check.methods.end()) {
        take(measured, *same_method);
      } else {
        check.methods.push_back(measured);
      }
    }
  }
  take_methods(check);
  if (failed_clips) check.failed_clips = static_cast<std::int64_t>(failed_clips->size());
  return check;
}

namespace {

// Fails if a position is not a finite number. The distance of that vertex is not a number either,
// so that --fail-percent would count it as one of the vertices that it allows.
std::optional<Check> numbers_check(const Report& report) {
  const Threshold any_number{kHardFail, CheckSeverity::kFail, "error.max", Unit::kMetres,
                             kAnyNumber};
  Check check = evaluate_threshold(any_number, report);
  if (check.passed || check.mesh.empty()) return {};
  return check;
}

// False if every method has a limit of its own in place of the threshold.
bool applies_to_any(const Threshold& threshold, const std::vector<Threshold>& given,
                    const Report& report) {
  return std::any_of(report.meshes.begin(), report.meshes.end(), [&](const MeshRecord& mesh) {
    return std::any_of(mesh.runs.begin(), mesh.runs.end(), [&](const RunRecord& run) {
      return applies_to(threshold, given, run.name());
    });
  });
}

}  // namespace

namespace {

// How many times the limit the value is; infinite if there is no ratio. 0: the limit is kept.
double excess_of(const Check& check) {
  if (check.passed) return 0;
  const bool has_ratio = check.value && std::isfinite(*check.value) && check.limit > 0;
  return has_ratio ? *check.value / check.limit : std::numeric_limits<double>::infinity();
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
        const auto worst = worst_of(threshold, mesh, run);
        if (!worst) continue;
        const Check check = measured_of(threshold, mesh, run, *worst);
        checks.push_back(
            {mesh.rig->id, run.clip, run.name(), limit_text(check),
             value_text(check) + (check.frame ? ", frame " + std::to_string(*check.frame) : ""),
             check.passed, check.severity == CheckSeverity::kWarn, excess_of(check)});
      }
      if (checks.size() == before) checks.push_back({mesh.rig->id, run.clip, run.name(), "", ""});
    }
  }
  return checks;
}

}  // namespace

void evaluate_thresholds(const Thresholds& thresholds, Report& report) {
  if (TaskContext* const task = task_context()) task->checks = checks_of_runs(thresholds, report);
  for (const Threshold& threshold : thresholds.given) {
    if (!applies_to_any(threshold, thresholds.given, report)) continue;
    report.checks.push_back(evaluate_threshold(threshold, report, thresholds.given));
  }
  const bool failed = std::any_of(report.checks.begin(), report.checks.end(), [](const Check& c) {
    return !c.passed && c.severity == CheckSeverity::kFail && c.metric == "error.max";
  });
  if (failed || thresholds.given.empty()) return;
  if (std::optional<Check> numbers = numbers_check(report)) report.checks.push_back(*numbers);
}

namespace {

// The exceeded limits and the codes of the issues that are warnings, "--warn-max, CLIP_UNUSED".
std::string warning_names(const Issues& issues, const std::vector<Check>& checks) {
  std::string names;
  const auto add = [&](std::string_view name) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  };
  for (const Check& check : checks) {
    if (check.severity == CheckSeverity::kWarn && !check.passed) add(check.option);
  }
  for (const IssueGroup& group : grouped(issues)) {
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

}  // namespace skinbake::cli
