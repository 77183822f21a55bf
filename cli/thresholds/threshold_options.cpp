// The options --fail-…, --warn-… and --hard-fail.

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>
#include <vector>

#include "options/parsing/choices.h"
#include "options/parsing/numbers.h"
#include "options/parsing/usage_error.h"
#include "skinbake/methods.h"
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
  bool takes_methods = false;
};

// A method as RunRecord::name() has it: "dqs:sign=first@unreal-4". Throws UsageError.
std::string run_name_of(const std::string& option, const std::string& text) {
  const std::size_t at = text.find('@');
  try {
    return run_name(parse_method(text.substr(0, at)).canonical(),
                    at == std::string::npos ? "" : text.substr(at + 1));
  } catch (const Error& error) {
    throw UsageError(option, error.what());
  }
}

// Parses "1%" or "dqs=1%" and appends the threshold. Throws UsageError.
void add_threshold(const LimitOption& option, const Limited& limited, const std::string& text,
                   std::vector<Threshold>& given) {
  const std::size_t equals = option.takes_methods ? text.rfind('=') : std::string::npos;
  const bool names_method = equals != std::string::npos;
  const std::size_t refused = option.takes_methods ? std::string::npos : text.rfind('=');
  if (refused != std::string::npos) {
    throw UsageError(option.name, "'" + text +
                                      "' names a method, of which diff has at most one; "
                                      "write " +
                                      option.name + " " + text.substr(refused + 1));
  }
  Threshold threshold{option.name, option.severity, limited.metric, limited.unit};
  if (names_method) threshold.method = run_name_of(option.name, text.substr(0, equals));
  threshold.limit =
      parse_limit(option.name, limited.unit, names_method ? text.substr(equals + 1) : text);
  for (const Threshold& other : given) {
    if (other.option != threshold.option || other.method != threshold.method) continue;
    throw UsageError(option.name, names_method ? "has two limits of '" + threshold.method + "'"
                                               : "is given twice; to limit one method, write "
                                                 "METHOD=LIMIT");
  }
  given.push_back(threshold);
}

// The length that a relative limit refers to. `diff` of caches does not have a bind pose.
std::string whole_of(const Limited& limited, Limits limits) {
  if (!std::string_view(limited.metric).ends_with("_relative")) return "";
  return limits == Limits::kError ? "diagonal of the bind pose of a rig, or of A's first frame"
                                  : "bind pose's bounding box diagonal";
}

void add_limit(CLI::App& command, Thresholds& thresholds, const LimitOption& option,
               const Limited& limited) {
  repeatable(command
                 .add_option_function<std::vector<std::string>>(
                     option.name,
                     [&thresholds, option, limited](const std::vector<std::string>& texts) {
                       for (const std::string& text : texts) {
                         add_threshold(option, limited, text, thresholds.given);
                       }
                     },
                     option.help)
                 ->type_name(std::string(option.takes_methods ? "[METHOD=]" : "") +
                             (limited.unit == Unit::kMetres ? "METRES" : "LIMIT[%]"))
                 ->group("Thresholds"));
}

}  // namespace

void add_threshold_options(CLI::App& command, Thresholds& thresholds, Limits limits) {
  const bool takes_methods = limits == Limits::kErrorAndVolume;
  for (const CheckSeverity severity : {CheckSeverity::kFail, CheckSeverity::kWarn}) {
    const bool fails = severity == CheckSeverity::kFail;
    const std::string prefix = "--" + std::string(to_string(severity));
    const std::string what = fails ? "Exit 1 if above: " : "Warn if above: ";
    for (const Limited& limited : kLimited) {
      const bool is_volume = std::string_view(limited.metric).starts_with("volume.");
      if (is_volume && limits == Limits::kError) continue;
      add_limit(command, thresholds,
                {prefix + "-" + limited.name, severity,
                 what + limited.help + whole_of(limited, limits), takes_methods},
                limited);
    }
    auto& percent = fails ? thresholds.fail_percent : thresholds.warn_percent;
    const std::string option = prefix + "-percent";
    // Of surfaces, `diff --match` counts points.
    const std::string points = limits == Limits::kError ? "vertices or sampled points" : "vertices";
    command
        .add_option_function<std::string>(
            option,
            [&percent, option](const std::string& text) { percent = parse_percent(option, text); },
            "With " + prefix + "-max: P per cent of the " + points + " may exceed it in each frame")
        ->type_name("P")
        ->group("Thresholds");
  }
  add_limit(
      command, thresholds,
      {kHardFail, CheckSeverity::kFail,
       "Exit 1 if any vertex is above, metres, even if --fail-percent allows it", takes_methods},
      kLimited.front());
}

}  // namespace skinbake::cli
