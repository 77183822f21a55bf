#include "thresholds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

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
    Limited{"max-relative", "error.max_relative", "1",
            "largest error, as a part of the bind pose's bounding box diagonal",
            [](const RunRecord& run) -> std::optional<Worst> {
              if (!run.error) return {};
              return Worst{run.error->max_relative, run.error->max_at};
            }},
    Limited{"rms-relative", "error.rms_relative", "1",
            "rms error, as a part of the bind pose's bounding box diagonal",
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

double parse_limit(const std::string& option, const Limited& limited, std::string text) {
  const bool percent = text.ends_with('%');
  if (percent && std::string_view(limited.unit) == "m") {
    throw CLI::ValidationError(option, "a limit in metres is no percentage; use " + option +
                                           "-relative for a part of the mesh's size");
  }
  if (percent) text.pop_back();
  double limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(limit)) {
    throw CLI::ValidationError(option, "not a number or a percentage: " + text);
  }
  if (limit < 0) throw CLI::ValidationError(option, "a limit is not below 0: " + text);
  // Who writes 5 means 5 %, and would never see a loss of 500 %.
  if (!percent && limit > 1 && std::string_view(limited.unit) != "m") {
    throw CLI::ValidationError(option, text + " is more than all of it; write " + text + "%");
  }
  return percent ? limit / 100 : limit;
}

const Limited& limited_of(const Threshold& threshold) {
  return *std::find_if(kLimited.begin(), kLimited.end(),
                       [&](const Limited& l) { return threshold.metric == l.metric; });
}

bool is_worse(double value, const std::optional<double>& than) {
  if (!than) return false;  // NaN is the worst there is
  return !(value <= *than);
}

Check hold(const Threshold& threshold, const Report& report) {
  Check check{threshold.option,
              threshold.severity,
              threshold.metric,
              threshold.limit,
              threshold.unit,
              {},
              true,
              0,
              {},
              {},
              {},
              {},
              {}};
  bool applies = false;
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) {
      const auto worst = limited_of(threshold).worst(run);
      if (!worst) continue;
      if (!(worst->value <= threshold.limit)) ++check.failures;
      if (applies && !is_worse(worst->value, check.value)) continue;
      applies = true;
      check.value = std::isnan(worst->value) ? std::nullopt : std::optional(worst->value);
      check.mesh = mesh.rig->id;
      check.clip = run.clip;
      check.method = run.method;
      check.frame = check.vertex = std::nullopt;
      if (worst->at.frame >= 0) check.frame = run.frames.frame(worst->at.frame);
      if (worst->at.vertex >= 0) check.vertex = worst->at.vertex;
    }
  }
  check.passed = applies && check.failures == 0;
  return check;
}

}  // namespace

bool Thresholds::need_error() const {
  return std::any_of(given.begin(), given.end(),
                     [](const Threshold& t) { return t.metric.starts_with("error."); });
}

bool Thresholds::need_volume() const {
  return std::any_of(given.begin(), given.end(),
                     [](const Threshold& t) { return t.metric.starts_with("volume."); });
}

void add_threshold_options(CLI::App& command, Thresholds& thresholds) {
  for (const std::string severity : {"fail", "warn"}) {
    for (const Limited& limited : kLimited) {
      const std::string option = "--" + severity + "-" + limited.name;
      const std::string what = severity == "fail" ? "Exit 1 if above: " : "Warn if above: ";
      command
          .add_option_function<std::string>(
              option,
              [&thresholds, option, severity, limited](const std::string& text) {
                thresholds.given.push_back({option, severity, limited.metric, limited.unit,
                                            parse_limit(option, limited, text)});
              },
              what + limited.help)
          ->type_name(std::string_view(limited.unit) == "m" ? "METRES" : "LIMIT[%]")
          ->group("Thresholds");
    }
  }
}

void check(const Thresholds& thresholds, Report& report) {
  for (const Threshold& threshold : thresholds.given) {
    report.checks.push_back(hold(threshold, report));
  }
}

}  // namespace skinbake::cli
