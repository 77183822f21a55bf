#include "compare_options.h"

#include <string>

#include "explain.h"

namespace skinbake::cli {

namespace {

struct Limited {
  const char* option;
  LimitedValue what;
  const char* metric;
  const char* unit;
  const char* help;
};

constexpr Limited kLimited[] = {
    {"--max-volume-loss", LimitedValue::kVolumeLoss, "volume.max_loss", "1",
     "Recommend only what loses no more volume"},
    {"--max-error", LimitedValue::kMaxError, "error.max", "m",
     "Recommend only what keeps every vertex within this distance of the reference, metres"},
    {"--max-error-relative", LimitedValue::kMaxErrorRelative, "error.max_relative", "1",
     "The same, as a part of the bind pose's bounding box diagonal"},
    {"--max-rms", LimitedValue::kRmsError, "error.rms", "m",
     "Recommend only what has no greater rms error, metres"}};

}  // namespace

void add_compare_options(CLI::App& command, CompareOptions& options) {
  add_explain_option(command, options.explained);
  command
      .add_flag("--recommend", options.recommends,
                "Name the cheapest method within the limits below; exit 1 if there is none")
      ->group("Recommendation");
  for (const Limited& limited : kLimited) {
    command
        .add_option_function<std::string>(
            limited.option,
            [&options, limited](const std::string& text) {
              options.limits.push_back({limited.option, limited.what, limited.metric, limited.unit,
                                        parse_limit(limited.option, limited.unit, text)});
            },
            limited.help)
        ->type_name(std::string_view(limited.unit) == "m" ? "METRES" : "LIMIT[%]")
        ->group("Recommendation");
  }
}

void check_recommendation(const CompareOptions& options) {
  if (options.recommends && options.limits.empty()) {
    throw CLI::ValidationError("--recommend",
                               "needs a limit: --max-volume-loss, --max-error, "
                               "--max-error-relative or --max-rms");
  }
  if (!options.recommends && !options.limits.empty()) {
    throw CLI::ValidationError(options.limits.front().option, "is a limit of --recommend");
  }
}

}  // namespace skinbake::cli
