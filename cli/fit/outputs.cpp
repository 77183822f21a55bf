// The choice of a fit, its files, its report, and its verification.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/paths.h"
#include "fit/outputs.h"
#include "gltf/write/rig_file.h"
#include "json/text.h"
#include "outputs/depfile.h"
#include "skinbake/caches.h"
#include "terminal/format.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

FitAlternative alternative_of(const FitResult& result, AddedBytes& sizes) {
  return {result.changes.helpers.size(), result.changes.morphs.targets.size(),
          sizes.of(result.changes), result.max_after_m(), result.is_met};
}

FitChoice choose(const FitAlternative& with, const FitAlternative& without) {
  FitChoice choice{with, without, true, FitChoice::Reason::kFewerBytes};
  if (with.is_met && without.is_met) {
    choice.has_helpers = with.added_bytes < without.added_bytes;
  } else if (with.is_met || without.is_met) {
    choice.reason = FitChoice::Reason::kOnlyWithinBound;
    choice.has_helpers = with.is_met;
  } else {
    choice.reason = FitChoice::Reason::kSmallerError;
    choice.has_helpers = with.max_m < without.max_m;
  }
  return choice;
}

}  // namespace

FitBytes bytes_of(const RigChanges& changes, AddedBytes& sizes) {
  const std::uint64_t all = sizes.of(changes);
  if (changes.influences.empty()) return {all, 0};
  if (changes.morphs.empty()) return {0, all};
  const RigChanges joints{
      changes.rig, {}, changes.helpers, changes.first_influence, changes.influences, changes.clips};
  const std::uint64_t of_joints = sizes.of(joints);
  return {all - std::min(all, of_joints), of_joints};
}

ChosenFit choose_fit(const FitPlan& plan, AddedBytes& sizes) {
  FitResult with = fit_rig(plan);
  const bool may_do_without = !plan.correctives && std::isfinite(plan.max_error_m);
  if (with.changes.helpers.empty() || !may_do_without) return {std::move(with), {}};
  FitPlan correctives_alone = plan;
  correctives_alone.helpers = 0;
  FitResult without = fit_rig(correctives_alone);
  const FitChoice choice = choose(alternative_of(with, sizes), alternative_of(without, sizes));
  return {choice.has_helpers ? std::move(with) : std::move(without), choice};
}

FitOutputs::FitOutputs(const FitOptions& options)
    : options_(options), rig_(options.output), reports_(options.reports) {
  if (!options.depfile.empty()) depfile_.emplace(options.depfile);
}

FitOutput FitOutputs::write_rig(const Asset& asset, const std::vector<MeshFit>& meshes,
                                std::vector<FitResult>& results) {
  std::vector<RigChanges> changes;  // not copies: the changes of many meshes are large
  for (FitResult& result : results) changes.push_back(std::move(result.changes));
  const WrittenChanges written =
      write_changed_rigs(asset, changes, fit_encoding(options_.formats).changes, rig_);
  for (std::size_t m = 0; m < results.size(); ++m) results[m].changes = std::move(changes[m]);
  files_.push_back(&rig_);
  FitOutput output{shown(options_.output), written.bytes, written.added_bytes, {}};
  if (options_.verify) {
    output.read_back = verify_fit(rig_, plans_of(meshes), results, options_.load);
  }
  return output;
}

void FitOutputs::write_depfile(const std::vector<std::string>& inputs) {
  if (!depfile_) return;
  std::vector<std::string> present = inputs;
  std::erase_if(present, [](const std::string& path) {
    std::error_code unknown;  // the name of a sidecar can be too long
    return !std::filesystem::exists(path, unknown);
  });
  depfile_->write(depfile_text({options_.output}, present));
  files_.push_back(&*depfile_);
}

void FitOutputs::write_reports(const ReportTexts& texts) {
  reports_.write(texts);
  reports_.append(files_);
}

void FitOutputs::commit() {
  commit_outputs(files_, options_.sync);
}

FitReport report_of(const FitOptions& options, const Asset& asset,
                    const std::vector<std::string>& targets, const Fits& fits) {
  FitReport report;
  report.inputs = asset.inputs;
  for (const std::string& target : targets) {
    const std::unique_ptr<CacheReader> cache = open_cache(target, "");
    report.inputs.push_back({"reference", shown(target), cache->bytes(), cache->xxh128()});
    report.targets.push_back(shown(target));
  }
  if (!options.joint_params.empty()) {
    report.inputs.push_back(load_joint_parameters(options.joint_params, asset).input);
  }
  report.fps = options.frames.fps;
  if (targets.empty()) report.method = parse_method(options.method).canonical();
  report.max_error_m = options.max_error_m;
  report.max_error_relative = options.max_error_relative;
  report.correctives = options.correctives;
  report.max_correctives = options.max_correctives;
  report.normals = options.normals;
  report.helpers = options.helpers;
  if (options.influences) report.influences = options.influences->count;
  const FitEncoding encoding = fit_encoding(options.formats);
  report.bits = encoding.bits;
  report.meshopt = encoding.changes.meshopt;
  report.results = fits.results;
  report.choices = fits.choices;
  report.bytes = fits.bytes;
  return report;
}

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
