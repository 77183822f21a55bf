#include "options/recommend_limits.h"

#include <string>

#include "options/parsing/usage_error.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

namespace {

// An option that limits a measurement.
struct Limited {
  const char* option;
  LimitedValue what;
  const char* metric;
  Unit unit;
  const char* help;
};

constexpr Limited kLimited[] = {
    {"--max-volume-loss", LimitedValue::kVolumeLoss, "volume.max_loss", Unit::kRatio,
     "Recommend only methods that lose at most this part of the volume"},
    {"--max-joint-volume-loss", LimitedValue::kJointVolumeLoss, "volume.joints.max_loss",
     Unit::kRatio, "The same, of the volume around every joint"},
    {"--max-distortion", LimitedValue::kDistortion, "triangle_distortion.worst", Unit::kNumber,
     "Recommend only methods whose most distorted triangle has at most this symmetric Dirichlet "
     "energy; 4 is no distortion"},
    {"--max-error", LimitedValue::kMaxError, "error.max", Unit::kMetres,
     "Recommend only methods whose largest error is at most this, metres"},
    {"--max-error-relative", LimitedValue::kMaxErrorRelative, "error.max_relative", Unit::kRatio,
     "The same, as a part of the bind pose's bounding box diagonal"},
    {"--max-rms", LimitedValue::kRmsError, "error.rms", Unit::kMetres,
     "Recommend only methods whose rms error is at most this, metres"}};

const char* type_of(Unit unit) {
  if (unit == Unit::kMetres) return "METRES";
  return unit == Unit::kNumber ? "NUMBER" : "LIMIT[%]";
}

}  // namespace

void add_recommend_limits(CLI::App& command, std::vector<RecommendLimit>& limits) {
  for (const Limited& limited : kLimited) {
    command
        .add_option_function<std::string>(
            limited.option,
            [&limits, limited](const std::string& text) {
              limits.push_back({limited.option, limited.what, limited.metric, limited.unit,
                                parse_limit(limited.option, limited.unit, text)});
            },
            limited.help)
        ->type_name(type_of(limited.unit))
        ->group("Recommendation");
  }
}

void check_recommendation(bool recommends, const std::vector<RecommendLimit>& limits) {
  if (recommends && limits.empty()) {
    std::string options;
    for (const Limited& limited : kLimited) {
      options += (options.empty() ? "" : ", ") + std::string(limited.option);
    }
    throw UsageError("--recommend", "needs a limit, one or more of " + options);
  }
  if (!recommends && !limits.empty()) {
    throw UsageError(limits.front().option, "is a limit of --recommend");
  }
}

const char* metric_of(LimitedValue what) {
  switch (what) {
    case LimitedValue::kVolumeLoss:
    case LimitedValue::kJointVolumeLoss:
      return "volume";
    case LimitedValue::kDistortion:
      return "triangle_distortion";
    case LimitedValue::kMaxError:
    case LimitedValue::kMaxErrorRelative:
    case LimitedValue::kRmsError:
      break;
  }
  return "error";
}

}  // namespace skinbake::cli
