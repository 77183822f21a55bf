#include "hold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace skinbake::cli {

namespace {

// A run's worst value of one metric; absent: the metric does not apply.
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
              if (!run.volume || !run.volume->total) return {};
              return Worst{run.volume->total->max_loss, run.volume->total->max_loss_at};
            }},
};

// The frame in which most vertices are over a threshold's vertex_limit.
std::optional<Worst> most_over(const Threshold& threshold, const MeshRecord& mesh,
                               const RunRecord& run) {
  if (!run.error) return {};
  const double limit_m = threshold.vertex_limit_m(mesh.bbox_diagonal_m);
  const std::vector<OverLimit>& all = run.error->over;
  const auto over = std::find_if(all.begin(), all.end(),
                                 [&](const OverLimit& o) { return o.limit_m == limit_m; });
  // A limit that is not a number cannot be kept.
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

// A check that no run has met yet.
Check unmeasured(const Threshold& threshold) {
  Check check;
  check.option = threshold.option;
  check.severity = threshold.severity;
  check.metric = threshold.metric;
  check.limit = threshold.limit;
  check.unit = threshold.unit;
  return check;
}

// What a threshold makes of one run.
Check measured_of(const Threshold& threshold, const MeshRecord& mesh, const RunRecord& run,
                  const Worst& worst) {
  Check check = unmeasured(threshold);
  if (!std::isnan(worst.value)) check.value = worst.value;
  check.passed = worst.value <= threshold.limit;
  check.failures = check.passed ? 0 : 1;
  if (threshold.metric == kOver) {
    check.vertex_limit_m = threshold.vertex_limit_m(mesh.bbox_diagonal_m);
  }
  check.mesh = mesh.rig->id;
  check.clip = run.clip;
  check.method = run.name();
  if (worst.at.frame >= 0) check.frame = run.frames.frame(worst.at.frame);
  if (worst.at.vertex >= 0) check.vertex = worst.at.vertex;
  return check;
}

// Not a number is the worst there is.
bool is_worse(const Check& check, const Check& than) {
  if (!check.value || !than.value) return !check.value && than.value;
  return *check.value > *than.value;
}

// Into the worst of its method so far; the first of equals is kept.
void take(const Check& measured, Check& worst) {
  const std::int64_t failures = worst.failures + measured.failures;
  if (is_worse(measured, worst)) worst = measured;
  worst.failures = failures;
  worst.passed = failures == 0;
}

// A check is the worst of its methods; one alone needs no list.
void take_methods(Check& check) {
  std::vector<Check> methods = std::move(check.methods);
  if (methods.empty()) return;
  std::stable_sort(methods.begin(), methods.end(), is_worse);
  check = methods.front();
  for (auto other = methods.begin() + 1; other != methods.end(); ++other) take(*other, check);
  if (methods.size() > 1) check.methods = std::move(methods);
}

}  // namespace

Check hold(const Threshold& threshold, const Report& report) {
  Check check = unmeasured(threshold);
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) {
      const auto worst = worst_of(threshold, mesh, run);
      if (!worst) continue;
      const Check measured = measured_of(threshold, mesh, run, *worst);
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
  return check;
}

namespace {

// Whatever the limits say: what is not a number is off by no distance, and would be counted as one
// vertex among those that --fail-percent lets pass.
std::optional<Check> numbers_check(const Report& report) {
  const Threshold any_number{kHardFail, "fail", "error.max", "m", kAnyNumber};
  Check check = hold(any_number, report);
  if (check.passed || check.mesh.empty()) return {};
  return check;
}

}  // namespace

void check(const Thresholds& thresholds, Report& report) {
  for (const Threshold& threshold : thresholds.given) {
    report.checks.push_back(hold(threshold, report));
  }
  const bool failed = std::any_of(report.checks.begin(), report.checks.end(), [](const Check& c) {
    return !c.passed && c.severity == "fail" && c.metric == "error.max";
  });
  if (failed || thresholds.given.empty()) return;
  if (std::optional<Check> numbers = numbers_check(report)) report.checks.push_back(*numbers);
}

}  // namespace skinbake::cli
