#include "fit/results/verify.h"

#include <algorithm>

#include "json/text.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// Positions are rounded to float32: some units in the last place of the largest coordinate.
constexpr double kSlack = 1e-6;  // of the diagonal

[[noreturn]] void fail(const OutputFile& file, const std::string& message) {
  throw Error("VERIFICATION_FAILED",
              message + "; write the file again, and report a bug if it happens twice",
              {file.path(), ""});
}

Asset read_back(const OutputFile& file, const LoadOptions& load) {
  LoadOptions options;
  options.scene = load.scene;
  try {
    return load_asset(file.readable_path(), options);
  } catch (const Error& error) {
    fail(file, "cannot be read back: " + error.message());
  }
}

const Rig& written_rig(const OutputFile& file, const Asset& asset, const Rig& rig) {
  const auto found = std::find_if(asset.rigs.begin(), asset.rigs.end(),
                                  [&](const Rig& candidate) { return candidate.node == rig.node; });
  if (found == asset.rigs.end()) fail(file, "mesh '" + printable(rig.id) + "' is missing");
  return *found;
}

std::vector<Clip> written_clips(const OutputFile& file, const Asset& asset, const FitPlan& plan) {
  std::vector<Clip> clips;
  for (const FitClip& of : plan.clips) {
    const auto index = static_cast<std::size_t>(of.clip->index);
    if (index >= asset.clips.size()) fail(file, "clip '" + printable(of.clip->id) + "' is missing");
    clips.push_back(asset.clips[index]);
  }
  return clips;
}

}  // namespace

FitReadBack verify_fit(const OutputFile& file, std::span<const FitPlan* const> plans,
                       std::span<const FitResult> results, const LoadOptions& load) {
  const Asset asset = read_back(file, load);
  FitReadBack worst;
  for (std::size_t m = 0; m < plans.size(); ++m) {
    const FitPlan& plan = *plans[m];
    const std::vector<FitError> errors =
        measure_fit(plan, written_rig(file, asset, *plan.rig), written_clips(file, asset, plan));
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (worst.mesh.empty() || errors[i].max_m > worst.error.max_m) {
        worst = {plan.rig->id, plan.clips[i].clip->id, errors[i]};
      }
      const double stated = results[m].clips[i].after.max_m;
      if (errors[i].max_m <= stated + kSlack * results[m].bbox_diagonal_m) continue;
      fail(file, fmt::format("mesh '{}', clip '{}': the written file is {:.3g} m from the target "
                             "in frame {} at vertex {}, instead of {:.3g} m",
                             printable(plan.rig->id), printable(plan.clips[i].clip->id),
                             errors[i].max_m, errors[i].frame, errors[i].vertex, stated));
    }
  }
  return worst;
}

}  // namespace skinbake::cli
