// The options --fail-…, --warn-… and --hard-fail.

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>

#include "options/numbers.h"
#include "options/usage_error.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

namespace {

// A measurement that a threshold limits.
struct Limited {
  const char* name;  // of --fail-NAME and --warn-NAME
  const char* metric;
  Unit unit;
  const char* help;
};

constexpr std::array kLimited{
    Limited{"max", "error.max", Unit::kMetres, "largest error of a vertex, metres"},
    Limited{"rms", "error.rms", Unit::kMetres, "rms error, metres"},
    Limited{"max-relative", "error.max_relative", Unit::kRatio, "largest error, as a part of the "},
    Limited{"rms-relative", "error.rms_relative", Unit::kRatio, "rms error, as a part of the "},
    Limited{"volume-loss", "volume.max_loss", Unit::kRatio, "largest loss of volume"},
};

double parse_percent(const std::string& option, std::string text) {
  if (text.ends_with('%')) text.pop_back();
  const std::optional<double> percent = finite_number(text);
  if (!percent || !(*percent >= 0 && *percent <= 100)) {
    throw UsageError(option, "not a percentage from 0 to 100: " + text);
  }
  return *percent / 100;
}

struct LimitOption {
  std::string name;
  CheckSeverity severity = CheckSeverity::kFail;
  std::string help;
};

// The length that a relative limit refers to. `diff` of caches does not have a bind pose.
std::string whole_of(const Limited& limited, Limits limits) {
  if (!std::string_view(limited.metric).ends_with("_relative")) return "";
  return limits == Limits::kError ? "diagonal of the bind pose of a rig, or of A's first frame"
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
      ->type_name(limited.unit == Unit::kMetres ? "METRES" : "LIMIT[%]")
      ->group("Thresholds");
}

}  // namespace

void add_threshold_options(CLI::App& command, Thresholds& thresholds, Limits limits) {
  for (const CheckSeverity severity : {CheckSeverity::kFail, CheckSeverity::kWarn}) {
    const bool fails = severity == CheckSeverity::kFail;
    const std::string prefix = "--" + std::string(to_string(severity));
    const std::string what = fails ? "Exit 1 if above: " : "Warn if above: ";
    for (const Limited& limited : kLimited) {
      const bool is_volume = std::string_view(limited.metric).starts_with("volume.");
      if (is_volume && limits == Limits::kError) continue;
      add_limit(
          command, thresholds,
          {prefix + "-" + limited.name, severity, what + limited.help + whole_of(limited, limits)},
          limited);
    }
    auto& percent = fails ? thresholds.fail_percent : thresholds.warn_percent;
    const std::string option = prefix + "-percent";
    command
        .add_option_function<std::string>(
            option,
            [&percent, option](const std::string& text) { percent = parse_percent(option, text); },
            "With " + prefix + "-max: P per cent of the vertices may exceed it in each frame")
        ->type_name("P")
        ->group("Thresholds");
  }
  add_limit(command, thresholds,
            {kHardFail, CheckSeverity::kFail,
             "Exit 1 if any vertex is above, metres, even if --fail-percent allows it"},
            kLimited.front());
}

}  // namespace skinbake::cli
