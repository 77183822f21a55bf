#include "fit/plan/mesh_fit.h"

#include <algorithm>
#include <limits>
#include <set>

#include "fit/plan/encoding.h"
#include "fit/plan/targets.h"
#include "gltf/write/rig_file.h"
#include "json/text.h"
#include "options/parsing/usage_error.h"
#include "skinbake/metrics.h"
#include "terminal/format.h"

namespace skinbake::cli {

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

}  // namespace

MeshFit mesh_fit(const FitOptions& options, const Asset& asset, const Rig& rig,
                 const FitMotions& motions, Issues& found) {
  const std::vector<const Clip*>& clips = motions.clips;
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
  std::vector<FrameRange> frames;
  for (const Clip* clip : clips) {
    frames.push_back(select_frames(asset.path, clip, options.frames));
  }
  fit.targets = open_targets(options, asset, rig, clips, frames, found);
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const FrameSource* target = fit.targets.empty() ? nullptr : fit.targets[i].get();
    plan.clips.push_back({clips[i], frames[i], target});
  }
  return fit;
}

std::vector<const FitPlan*> plans_of(const std::vector<MeshFit>& meshes) {
  std::vector<const FitPlan*> plans;
  for (const MeshFit& mesh : meshes) plans.push_back(&mesh.plan);
  return plans;
}

LeftOutClips left_out_clips(const FitOptions& options, const Asset& asset, const FitPlan& plan) {
  FrameOptions frames = options.frames;
  frames.frames.reset();  // those of the clips of the fit
  LeftOutClips left_out;
  for (const Clip& clip : asset.clips) {
    const bool is_fitted = std::any_of(plan.clips.begin(), plan.clips.end(),
                                       [&](const FitClip& own) { return own.clip == &clip; });
    if (is_fitted) continue;
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
