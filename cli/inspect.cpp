#include "inspect.h"

#include <utility>
#include <vector>

#include "clips/clip_files.h"
#include "json/text.h"
#include "options/parsing/usage_error.h"
#include "options/selection.h"
#include "outputs/output_paths.h"
#include "terminal/console.h"
#include "terminal/format.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

// With --json, also prints JSON for a refused file. The error still goes to standard error.
Asset load_or_refuse(const InspectOptions& options) {
  try {
    return load_asset(options.rig, options.load);
  } catch (const Error& error) {
    const bool is_refused = error.kind() == ErrorKind::kInput;
    if (options.json && is_refused) print(refusal_json(error, shown(options.rig)));
    throw;
  }
}

// Chooses the humanoid map, and adds what is wrong with it to the issues.
void add_humanoid(const InspectOptions& options, Asset& asset) {
  if (!options.humanoid.empty()) {
    asset.humanoid = load_humanoid_file(options.humanoid, *asset.skeleton).map;
  } else if (asset.humanoid.bones.empty()) {
    asset.humanoid = find_humanoid(*asset.skeleton);
  }
  if (asset.humanoid.bones.empty()) return;
  const Issues found = humanoid_findings(*asset.skeleton, asset.humanoid, shown(options.rig));
  asset.issues.insert(asset.issues.end(), found.begin(), found.end());
  asset.issues = sorted_unique(std::move(asset.issues));
}

// Says that `bake` refuses all meshes of the file together.
void note_many_meshes(const InspectOptions& options, Asset& asset) {
  const std::size_t most = most_mesh_nodes(asset);
  if (asset.rigs.size() <= most) return;
  Issue issue;
  issue.code = "MESHES_OVER_LIMIT";
  issue.file = shown(options.rig);
  issue.pointer = "/nodes";
  issue.message =
      fmt::format("{} mesh nodes in a scene of {} nodes, of which a bake takes at most {}",
                  asset.rigs.size(), asset.skeleton->nodes.size(), most);
  asset.issues.push_back(issue);
  asset.issues = sorted_unique(std::move(asset.issues));
}

// The surface of a mesh is measured at bind, which throws for positions that are not finite.
std::string text_of(const InspectOptions& options, const Asset& asset) {
  try {
    return options.json ? inspect_json(asset, options.fps) : inspect_text(asset, options.fps);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {options.rig, ""}, error.remedy());
  }
}

void check_together(const InspectOptions& options) {
  if (options.pose_json && options.limits) throw UsageError("--pose-json", "excludes --limits");
  if (options.pose_json && !options.at_s) throw UsageError("--pose-json", "needs --at SECONDS");
  if (options.at_s && !options.pose_json) throw UsageError("--at", "needs --pose-json");
  const bool asks_clip = options.pose_json || options.limits;
  if (asks_clip == !options.clips.clips.empty()) return;
  if (asks_clip) throw UsageError(options.limits ? "--limits" : "--pose-json", "needs --clip");
  throw UsageError("--clip", "needs --pose-json or --limits");
}

// Throws unless the instant is within the clip.
void require_within(const Clip& clip, double at_s) {
  constexpr double kRounding_s = 1e-3;  // of a time that was printed with few digits
  if (at_s >= 0 && at_s <= clip.duration_s + kRounding_s) return;
  throw UsageError("--at", fmt::format("is not within clip '{}', which lasts {:.6g} s",
                                       printable(clip.id), clip.duration_s));
}

// What a clip does to the human body of the file.
std::string clip_text(const InspectOptions& options, Asset& asset) {
  std::vector<Clip> own = asset.clips;  // a T-pose may be an instant of one
  const std::vector<std::string> ids = use_clip_files(options.clips, options.load, asset).ids;
  const std::vector<const Clip*> clips = select_clips(asset.clips, asset.path, ids);
  if (clips.size() > 1) {
    throw_usage("CLIP_AMBIGUOUS", asset.path + ": several clips are selected; choose one");
  }
  if (clips.front() == nullptr) {
    throw_usage("CLIP_UNKNOWN", asset.path + ": the file does not have a clip");
  }
  const Clip clip = *clips.front();
  asset.clips = std::move(own);
  const TPoseChoice& t_pose = options.clips.retarget.t_pose;
  if (options.pose_json) require_within(clip, *options.at_s);
  if (options.pose_json) return pose_json(asset, clip, *options.at_s, t_pose);
  const HumanClipOptions human{t_pose, {}};
  const FrameRange frames = frames_of(clip, options.fps);
  return options.json ? limits_json(asset, clip, frames, human)
                      : limits_text(asset, clip, frames, human);
}

}  // namespace

int run_inspect(const InspectOptions& options) {
  check_together(options);
  Asset asset = load_or_refuse(options);
  add_humanoid(options, asset);
  if (!options.clips.clips.empty()) {
    print(clip_text(options, asset));
    return strict_exit_code(options.strict, asset.issues);
  }
  note_many_meshes(options, asset);
  print(text_of(options, asset));
  return strict_exit_code(options.strict, asset.issues);
}

}  // namespace skinbake::cli
