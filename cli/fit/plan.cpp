// Inputs, encodings, training frames and targets of a fit, and the fit of each mesh.

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "clips/clip_source.h"
#include "comparison/reference_cache.h"
#include "fit/plan.h"
#include "json/text.h"
#include "options/usage_error.h"
#include "outputs/format_options.h"
#include "outputs/output_paths.h"
#include "outputs/rig_output.h"
#include "skinbake/bake.h"
#include "skinbake/caches.h"
#include "skinbake/metrics.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

constexpr int kUsualBits = 16;

// A value that the format has checked.
int number_of(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

FitEncoding fit_encoding(const std::vector<std::string>& texts) {
  const std::string output = "fit.glb";
  require_outputs_of(texts, {output});
  const CacheFormat& glb = cache_format_of(output);
  const FormatOptions options = options_of(glb, texts);
  glb.keeps_normals(options);  // checks the values, and that meshopt and bits have quantize
  FitEncoding encoding;
  for (const auto& [name, value] : options) {
    if (name == "quantize") {
      encoding.changes.quantize = value == "1";
    } else if (name == "meshopt") {
      encoding.changes.meshopt = value == "1";
    } else if (name == "bits") {
      encoding.bits = number_of(value);
    } else {
      throw UsageError("--format", "glb:" + name + " is for baked frames; a fitted rig has the " +
                                       "options quantize, bits and meshopt");
    }
  }
  if (encoding.changes.quantize && !encoding.bits) encoding.bits = kUsualBits;
  return encoding;
}

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

namespace {

constexpr const char* kClips = "clips";

[[noreturn]] void fail_training(const FitInfluences& fit, const std::string& name) {
  const std::string count = std::to_string(fit.count);
  throw UsageError("--influences", "'" + printable(name) + "' is not a motion of the fit; write " +
                                       count + ":fit=clips (the clips of --clip), or " + count +
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

namespace {

std::string target_path(const FitOptions& options, const Rig& rig, const Clip& clip,
                        std::size_t index) {
  const std::string& pattern = options.targets[options.targets.size() == 1 ? 0 : index];
  return expand(pattern, {rig.id, clip.id, ""}, "target");
}

// Throws UsageError if one cache would be the target of two elements.
template <class Element>
void require_own_caches(const std::vector<std::string>& targets, const std::string& placeholder,
                        const std::vector<const Element*>& elements, const std::string& remedy) {
  std::vector<std::string> ids;
  for (const Element* element : elements) ids.push_back(element->id);
  const std::string text = names_twice(targets, placeholder, ids);
  if (!text.empty()) throw UsageError("--target", text + "; " + remedy);
}

}  // namespace

void require_targets(const FitOptions& options, const std::vector<const Clip*>& clips,
                     const std::vector<const Rig*>& meshes) {
  const std::vector<std::string>& targets = options.targets;
  if (targets.empty()) return;
  const auto names = [&](const char* placeholder) {
    return targets.front().find(placeholder) != std::string::npos;
  };
  const bool is_pattern = targets.size() == 1 && names("{clip}");
  if (targets.size() != clips.size() && !is_pattern) {
    throw UsageError("--target", fmt::format("{} caches for {} clips; give one for each clip, in "
                                             "the order of the clips, or one path with {{clip}}",
                                             targets.size(), clips.size()));
  }
  if (is_pattern) {
    require_own_caches(targets, "{clip}", clips,
                       "rename one of these clips in the file, or give one cache for each clip");
  }
  if (meshes.size() < 2) return;
  for (const std::string& target : targets) {
    if (target.find("{mesh}") != std::string::npos) continue;
    throw UsageError("--target",
                     "'" + target + "' would be the target of " + std::to_string(meshes.size()) +
                         " meshes; write {mesh} into its name, or choose one by --mesh");
  }
  require_own_caches(targets, "{mesh}", meshes,
                     "rename one of these mesh nodes in the file, or choose one by --mesh");
}

std::vector<std::string> target_paths(const FitOptions& options,
                                      const std::vector<const Rig*>& rigs,
                                      const std::vector<const Clip*>& clips) {
  std::vector<std::string> paths;
  if (options.targets.empty()) return paths;
  for (const Rig* rig : rigs) {
    for (std::size_t i = 0; i < clips.size(); ++i) {
      paths.push_back(target_path(options, *rig, *clips[i], i));
    }
  }
  return paths;
}

namespace {

// In metres; infinite: there is none.
double bound_of(const FitOptions& options, const Rig& rig) {
  double bound = std::numeric_limits<double>::infinity();
  if (options.max_error_m) bound = *options.max_error_m;
  if (options.max_error_relative) {
    const double diagonal_m = bind_baseline(rig).bbox_diagonal_m;
    if (!(diagonal_m > 0)) {
      throw UsageError("--max-error",
                       "all vertices of mesh '" + printable(rig.id) +
                           "' are at one point, so its diagonal is 0; give --max-error in metres");
    }
    bound = std::min(bound, *options.max_error_relative * diagonal_m);
  }
  return bound;
}

// Adds what is before the dots of a name that begins with `usual`: "skinbake.dqs_2" of
// "skinbake.dqs_2.0".
void add_stems(const std::string& name, const std::string& usual, std::set<std::string>& stems) {
  if (!name.starts_with(usual)) return;
  for (std::size_t dot = name.find('.', usual.size()); dot != name.npos;
       dot = name.find('.', dot + 1)) {
    // Names that are tried are not longer.
    constexpr std::size_t kMostDigits = 22;
    if (dot > usual.size() + kMostDigits) return;
    stems.insert(name.substr(0, dot));
  }
}

// What the names of targets and joints that earlier fits have added begin with.
std::set<std::string> taken_stems(const std::string& usual, const Asset& asset, const Rig& rig) {
  std::set<std::string> stems;
  for (const std::string& name : target_names(asset, rig.node)) add_stems(name, usual, stems);
  for (const Node& node : asset.skeleton->nodes) add_stems(node.name, usual, stems);
  return stems;
}

// What the names of the targets say: "skinbake.dqs.0". In a file that has these already, it is
// "skinbake.dqs_2.0".
std::string name_of(const FitOptions& options, const Asset& asset, const Rig& rig) {
  const std::string usual =
      "skinbake." + (options.targets.empty() ? parse_method(options.method).info().id.data()
                                             : std::string("cache"));
  const std::set<std::string> taken = taken_stems(usual, asset, rig);
  std::string name = usual;
  for (int n = 2; taken.contains(name); ++n) name = fmt::format("{}_{}", usual, n);
  return name;
}

// Opens the caches that the clips of a fit reproduce; none: a method is the target. `found` gets
// their warnings. Throws Error (kInput, kNotComparable) and UsageError.
void open_targets(const FitOptions& options, const Asset& asset, MeshFit& fit, Issues& found) {
  const Rig& rig = *fit.plan.rig;
  for (std::size_t i = 0; i < fit.plan.clips.size() && !options.targets.empty(); ++i) {
    auto& [clip, frames, target] = fit.plan.clips[i];
    auto cache = std::make_unique<ReferenceCache>(
        target_path(options, rig, *clip, i),
        ReferenceUse{&rig, frames, Space::kScene, CacheRole::kTarget, clip});
    const Issues issues = cache->issues(asset.path, clip->id);
    found.insert(found.end(), issues.begin(), issues.end());
    target = fit.targets.emplace_back(std::move(cache)).get();
  }
}

}  // namespace

MeshFit mesh_fit(const FitOptions& options, const Asset& asset, const Rig& rig,
                 const FitMotions& motions, Issues& found) {
  MeshFit fit;
  FitPlan& plan = fit.plan;
  plan.rig = &rig;
  plan.method = parse_method(options.method);
  plan.max_error_m = bound_of(options, rig);
  plan.correctives = options.correctives;
  plan.max_correctives = options.max_correctives;
  plan.normals = options.normals;
  if (options.influences) plan.influences = options.influences->count;
  plan.training = motions.more;
  plan.helpers = options.helpers;
  plan.name = name_of(options, asset, rig);
  plan.threads = options.threads;
  if (!options.joint_params.empty()) {
    plan.joint_parameters = load_joint_parameters(options.joint_params, asset).joints;
  }
  plan.bits = fit_encoding(options.formats).bits;
  plan.bind_cache = options.bind_cache;
  plan.found = [&found](const Issue& issue) { found.push_back(issue); };
  for (const Clip* clip : motions.clips) {
    plan.clips.push_back({clip, select_frames(asset.path, clip, options.frames)});
  }
  open_targets(options, asset, fit, found);
  return fit;
}

Issues clip_ends(const Asset& asset, const std::vector<const Rig*>& rigs, const FitPlan& plan) {
  Issues ends;
  for (const FitClip& of : plan.clips) {
    for (Issue& issue : end_issues(rigs, *of.clip, of.frames, asset.path)) {
      issue.pointer = fmt::format("/animations/{}", of.clip->index);
      ends.push_back(std::move(issue));
    }
  }
  return ends;
}

std::vector<const FitPlan*> plans_of(const std::vector<MeshFit>& meshes) {
  std::vector<const FitPlan*> plans;
  for (const MeshFit& mesh : meshes) plans.push_back(&mesh.plan);
  return plans;
}

LeftOutClips left_out_clips(const FitOptions& options, const Asset& asset, const FitPlan& plan) {
  FrameOptions frames = options.frames;
  frames.frames.reset();  // the range is for the clips of the fit
  LeftOutClips left_out;
  for (const Clip& clip : asset.clips) {
    const bool is_fitted = std::any_of(plan.clips.begin(), plan.clips.end(),
                                       [&](const FitClip& own) { return own.clip == &clip; });
    if (is_fitted || clip.fault) continue;
    // One that is too long to be fitted is not measured either.
    const double instants = clip.duration_s * frames.fps;
    if (instants >= static_cast<double>(frames.max_frames)) {
      left_out.too_long.push_back(&clip);
    } else {
      left_out.measurable.push_back({&clip, select_frames(asset.path, &clip, frames)});
    }
  }
  return left_out;
}

}  // namespace skinbake::cli
