#include "thresholds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace skinbake::cli {

namespace {

// A run's worst value of one metric; absent: the metric does not apply.
struct Worst {
  double value;
  Place at;
};

struct Limited {
  const char* name;  // --fail-<name>
  const char* metric;
  const char* unit;
  const char* help;
  std::optional<Worst> (*worst)(const RunRecord&);
};

constexpr const char* kHardFail = "--hard-fail";
constexpr const char* kOver = "error.over";

constexpr std::array kLimited{
    Limited{"max", "error.max", "m", "largest error of a vertex, metres",
            [](const RunRecord& run) -> std::optional<Worst> {
              if (!run.error) return {};
              return Worst{run.error->max, run.error->max_at};
            }},
    Limited{"rms", "error.rms", "m", "rms error, metres",
            [](const RunRecord& run) -> std::optional<Worst> {
              if (!run.error) return {};
              return Worst{run.error->rms, {}};
            }},
    Limited{"max-relative", "error.max_relative", "1", "largest error, as a part of the ",
            [](const RunRecord& run) -> std::optional<Worst> {
              if (!run.error) return {};
              return Worst{run.error->max_relative, run.error->max_at};
            }},
    Limited{"rms-relative", "error.rms_relative", "1", "rms error, as a part of the ",
            [](const RunRecord& run) -> std::optional<Worst> {
              if (!run.error) return {};
              return Worst{run.error->rms_relative, {}};
            }},
    Limited{"volume-loss", "volume.max_loss", "1", "largest loss of volume",
            [](const RunRecord& run) -> std::optional<Worst> {
              if (!run.volume || !run.volume->total) return {};
              return Worst{run.volume->total->max_loss, run.volume->total->max_loss_at};
            }},
};

double parse_percent(const std::string& option, std::string text) {
  if (text.ends_with('%')) text.pop_back();
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  if (!is_number || !(percent >= 0 && percent <= 100)) {
    throw CLI::ValidationError(option, "not a percentage from 0 to 100: " + text);
  }
  return percent / 100;
}

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
  return std::find_if(kLimited.begin(), kLimited.end(),
                      [&](const Limited& l) { return threshold.metric == l.metric; })
      ->worst(run);
}

bool is_limit_of_vertices(const Threshold& threshold) {
  return threshold.metric == "error.max" || threshold.metric == "error.max_relative";
}

// Of the thresholds of one severity: from "no vertex may be farther off than this" to "so many
// may".
void count_vertices(std::vector<Threshold>& given, const std::string& severity, double part) {
  const std::string option = "--" + severity + "-percent";
  bool any = false;
  for (Threshold& t : given) {
    if (t.severity != severity || !is_limit_of_vertices(t) || t.option == kHardFail) continue;
    t.vertex_limit = t.limit;
    t.vertex_limit_is_relative = t.metric == "error.max_relative";
    t.option = option;
    t.metric = kOver;
    t.unit = "1";
    t.limit = part;
    any = true;
  }
  if (any) return;
  throw CLI::ValidationError(option, "needs --" + severity + "-max or --" + severity +
                                         "-max-relative: over what vertices are counted");
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

struct LimitOption {
  std::string name, severity, help;
};

// What a part is of: `diff` of caches knows no bind pose.
std::string whole_of(const Limited& limited, Limits limits) {
  if (!std::string_view(limited.metric).ends_with("_relative")) return "";
  return limits == Limits::kError ? "diagonal of A's first frame, or of the bind pose of --rig"
                                  : "bind pose's bounding box diagonal";
}

void add_limit(CLI::App& command, Thresholds& thresholds, const LimitOption& option,
               const Limited& limited) {
  command
      .add_option_function<std::string>(
          option.name,
          [&thresholds, option, limited](const std::string& text) {
            thresholds.given.push_back({option.name, option.severity, limited.metric, limited.unit,
                                        parse_limit(option.name, limited.unit, text)});
          },
          option.help)
      ->type_name(std::string_view(limited.unit) == "m" ? "METRES" : "LIMIT[%]")
      ->group("Thresholds");
}

}  // namespace

double parse_limit(const std::string& option, std::string_view unit, std::string text) {
  const bool percent = text.ends_with('%');
  if (percent && unit == "m") {
    const bool has_other = option != kHardFail && option != "--max-rms";
    throw CLI::ValidationError(
        option, "a limit in metres is no percentage" +
                    (has_other ? "; use " + option + "-relative for a part of the mesh's size"
                               : std::string()));
  }
  if (percent) text.pop_back();
  double limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(limit)) {
    throw CLI::ValidationError(option, "not a number or a percentage: " + text);
  }
  if (limit < 0) throw CLI::ValidationError(option, "a limit is not below 0: " + text);
  // Who writes 5 means 5 %, and would never see a loss of 500 %.
  if (!percent && limit > 1 && unit != "m") {
    throw CLI::ValidationError(option, text + " is more than all of it; write " + text + "%");
  }
  return percent ? limit / 100 : limit;
}

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

void Thresholds::settle() {
  if (fail_percent) count_vertices(given, "fail", *fail_percent);
  if (warn_percent) count_vertices(given, "warn", *warn_percent);
  fail_percent = warn_percent = {};
}

std::vector<double> Thresholds::vertex_limits_m(double bbox_diagonal_m) const {
  std::vector<double> limits;
  for (const Threshold& t : given) {
    if (t.metric == kOver) limits.push_back(t.vertex_limit_m(bbox_diagonal_m));
    if (t.metric == "error.max") limits.push_back(t.limit);
    if (t.metric == "error.max_relative") limits.push_back(t.limit * bbox_diagonal_m);
  }
  std::erase_if(limits, [](double limit) { return std::isnan(limit); });
  std::sort(limits.begin(), limits.end());
  limits.erase(std::unique(limits.begin(), limits.end()), limits.end());
  return limits;
}

bool Thresholds::need_error() const {
  return std::any_of(given.begin(), given.end(),
                     [](const Threshold& t) { return t.metric.starts_with("error."); });
}

bool Thresholds::need_volume() const {
  return std::any_of(given.begin(), given.end(),
                     [](const Threshold& t) { return t.metric.starts_with("volume."); });
}

void add_threshold_options(CLI::App& command, Thresholds& thresholds, Limits limits) {
  for (const std::string severity : {"fail", "warn"}) {
    const std::string what = severity == "fail" ? "Exit 1 if above: " : "Warn if above: ";
    for (const Limited& limited : kLimited) {
      const bool is_volume = std::string_view(limited.metric).starts_with("volume.");
      if (is_volume && limits == Limits::kError) continue;
      add_limit(command, thresholds,
                {"--" + severity + "-" + limited.name, severity,
                 what + limited.help + whole_of(limited, limits)},
                limited);
    }
    auto& percent = severity == "fail" ? thresholds.fail_percent : thresholds.warn_percent;
    const std::string option = "--" + severity + "-percent";
    command
        .add_option_function<std::string>(
            option,
            [&percent, option](const std::string& text) { percent = parse_percent(option, text); },
            "With --" + severity +
                "-max: so many per cent of the vertices may be over it in a frame")
        ->type_name("P")
        ->group("Thresholds");
  }
  add_limit(command, thresholds,
            {kHardFail, "fail",
             "Exit 1 if a single vertex is above, metres, whatever --fail-percent lets pass"},
            kLimited.front());
}

// Whatever the limits say: what is not a number is off by no distance, and would be counted as one
// vertex among those that --fail-percent lets pass.
std::optional<Check> numbers_check(const Report& report) {
  const Threshold any_number{kHardFail, "fail", "error.max", "m", kAnyNumber};
  Check check = hold(any_number, report);
  if (check.passed || check.mesh.empty()) return {};
  return check;
}

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
