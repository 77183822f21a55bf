#include "fit/plan/training.h"

#include <utility>

#include "json/text.h"
#include "options/parsing/usage_error.h"

namespace skinbake::cli {

namespace {

constexpr const char* kClips = "clips";

[[noreturn]] void fail_training(const FitInfluences& fit, const std::string& name) {
  const std::string count = std::to_string(fit.count);
  throw UsageError("--influences", "'" + printable(name) + "' is not a motion of the fit; write " +
                                       count + ":fit=clips (those of --clip), or " + count +
                                       ":fit=rom or " + count + ":fit=rom:arms for these and a " +
                                       "range of motion");
}

}  // namespace

FitMotions fit_motions(const FitOptions& options, std::vector<const Clip*> clips,
                       FitTraining& made) {
  FitMotions motions{std::move(clips), {}, {}};
  if (!options.influences) return motions;
  motions.names.emplace_back(kClips);
  const auto add = [&](const Clip* range) {
    motions.more.push_back(range);
    motions.names.push_back(range->id);
  };
  for (const std::string& name : options.influences->training) {
    if (name == "all") {
      if (const Clip* const range = made.whole_range_of_motion()) add(range);
    } else if (name == "rom" || name.starts_with("rom:")) {
      add(made.range_of_motion_of(name));
    } else if (name != kClips) {
      fail_training(*options.influences, name);
    }
  }
  return motions;
}

}  // namespace skinbake::cli
