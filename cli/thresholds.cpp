#include "thresholds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace skinbake::cli {

namespace {

struct Limited {
  const char* name;  // --fail-<name>
  const char* metric;
  const char* unit;
  const char* help;
};

constexpr std::array kLimited{
    Limited{"max", "error.max", "m", "largest error of a vertex, metres"},
    Limited{"rms", "error.rms", "m", "rms error, metres"},
    Limited{"max-relative", "error.max_relative", "1", "largest error, as a part of the "},
    Limited{"rms-relative", "error.rms_relative", "1", "rms error, as a part of the "},
    Limited{"volume-loss", "volume.max_loss", "1", "largest loss of volume"},
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

}  // namespace skinbake::cli
