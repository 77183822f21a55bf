#include "fit/plan/inputs.h"

#include <algorithm>

#include "bake/view.h"
#include "clips/clip_source.h"
#include "fit/plan/encoding.h"
#include "json/text.h"
#include "options/parsing/usage_error.h"
#include "outputs/input_files.h"
#include "outputs/output_paths.h"
#include "outputs/rig_output.h"

namespace skinbake::cli {

namespace {

[[noreturn]] void nothing_to_fit(const Asset& asset, const std::string& message) {
  throw Error("NOTHING_TO_FIT", message, {asset.path, ""});
}

// Throws if a clip is not of the rig's file, which gets the keys of correctives.
void require_own_clips(const FitOptions& options, const Asset& asset) {
  for (const std::string& value : options.clips) {
    const bool is_own = std::any_of(asset.clips.begin(), asset.clips.end(),
                                    [&](const Clip& clip) { return clip.id == value; });
    const std::string file = split_clip(value).path;
    if (is_own || (file.empty() && !is_made_clip(value))) continue;
    const std::string from = file.empty() ? "RIG --clip " + value : value + " RIG";
    throw UsageError("--clip", "'" + printable(value) +
                                   "' is not a clip of the rig; write it into the rig first: "
                                   "skinbake retarget " +
                                   printable(from) + " -o moved.glb");
  }
}

std::vector<std::string> output_paths(const FitOptions& options) {
  std::vector<std::string> paths{options.output};
  if (!options.depfile.empty()) paths.push_back(options.depfile);
  for (std::string& path : options.reports.paths()) paths.push_back(std::move(path));
  return paths;
}

}  // namespace

void check_together(const FitOptions& options) {
  if (!options.has_bound() && !options.correctives) {
    throw UsageError("--max-error",
                     "no bound is given; add --max-error 1mm or 0.05%, or a "
                     "number, --correctives 16");
  }
  require_rig_name(options.output);
  require_distinct(output_paths(options));
  fit_encoding(options.formats);  // checks the option
  check_reports(options.reports);
}

std::vector<const Rig*> select_skinned(const FitOptions& options, const Asset& asset) {
  std::vector<const Rig*> rigs = select_meshes(asset, options.meshes);
  const auto is_rigid = [](const Rig* rig) { return !rig->skinned; };
  const auto rigid = std::find_if(rigs.begin(), rigs.end(), is_rigid);
  if (!options.meshes.empty() && !selects_several(options.meshes) && rigid != rigs.end()) {
    nothing_to_fit(asset, "mesh '" + printable((*rigid)->id) +
                              "' does not have a skin; name meshes that joints move");
  }
  std::erase_if(rigs, is_rigid);
  if (rigs.empty()) {
    nothing_to_fit(asset, "no mesh has a skin; fit needs a mesh that joints move");
  }
  return rigs;
}

std::vector<const Clip*> select_animated(const FitOptions& options, const Asset& asset) {
  require_own_clips(options, asset);
  for (const std::string& value : options.clips) {
    require_one_meaning(asset.clips, asset.path, value);
  }
  const std::vector<const Clip*> clips = select_clips(asset.clips, asset.path, options.clips);
  if (clips.empty() || clips.front() == nullptr) {
    nothing_to_fit(asset, "the file does not have a clip; add one by skinbake retarget");
  }
  return clips;
}

std::vector<std::string> other_inputs(const FitOptions& options,
                                      const std::vector<std::string>& targets) {
  std::vector<std::string> inputs;
  for (const std::string& target : targets) {
    inputs.push_back(target);
    inputs.push_back(target + ".json");
  }
  if (!options.joint_params.empty()) inputs.push_back(options.joint_params);
  return inputs;
}

void refuse_inputs(const FitOptions& options, const Asset& asset,
                   const std::vector<std::string>& targets) {
  InputFiles inputs;
  inputs.add(asset);
  for (const std::string& target : targets) inputs.add_cache(target);
  if (!options.joint_params.empty()) inputs.add(options.joint_params, "parameters");
  const std::vector<std::string> outputs = output_paths(options);
  inputs.refuse(outputs);
  refuse_binds(outputs, options.bind_cache);
}

}  // namespace skinbake::cli
