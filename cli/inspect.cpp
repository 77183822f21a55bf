// `skinbake inspect rig.glb`: prints the content of a file and its issues, or what a clip does to a
// human body; of a cache its frames, its rate and its bounds.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file_kind.h"
#include "base/issue.h"
#include "base/paths.h"
#include "clips/clip_files.h"
#include "clips/clip_source.h"
#include "clips/selection.h"
#include "commands.h"
#include "inspect/inspect.h"
#include "json/text.h"
#include "options/choices.h"
#include "options/file_kinds.h"
#include "options/frame_options.h"
#include "options/option_groups.h"
#include "options/usage_error.h"
#include "skinbake/caches.h"
#include "skinbake/gltf.h"
#include "skinbake/metrics.h"
#include "terminal/console.h"
#include "terminal/format.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

struct InspectOptions {
  std::string rig;
  bool json = false;
  bool strict = false;
  FrameOptions frames;   // only the rate
  std::string humanoid;  // the path of a map; empty: the file's own, or the one that is found
  ClipSource clips;      // of --pose-json and --limits
  std::optional<double> at_s;
  bool pose_json = false;
  bool limits = false;
  LoadOptions load;
};

// Returns load(). With --json, also prints JSON for a refused file. The error still goes to
// standard error.
template <class Load>
auto or_refuse(const InspectOptions& options, const Load& load) {
  try {
    return load();
  } catch (const Error& error) {
    const bool is_refused = error.kind() == ErrorKind::kInput;
    if (options.json && is_refused) print(refusal_json(error, shown(options.rig)));
    throw;
  }
}

// The format of a cache that is not a GLB, by the first bytes; null: the file is no cache, or
// cannot be read. The extension names the format of a file with unknown bytes.
const CacheFormat* format_of_cache(const std::string& path) {
  try {
    const FileKind* const kind = find_file_kind(path);
    if (kind != nullptr) return find_cache_format(kind->cache);
  } catch (const Error&) {
    return nullptr;  // loading it as glTF states the cause
  }
  const CacheFormat* const named = find_cache_format_of(path);
  const bool is_readable = named != nullptr && named->read != nullptr && !is_rig_file(path);
  return is_readable ? named : nullptr;
}

// Prints the content of a cache.
int inspect_cache(const InspectOptions& options, const CacheFormat& format) {
  print(or_refuse(options, [&] {
    const std::unique_ptr<CacheReader> cache = format.read(options.rig, "");
    return options.json ? cache_json(*cache) : printable(options.rig) + "\n" + cache_text(*cache);
  }));
  return 0;
}

// Chooses the humanoid map, and adds its errors to the issues.
void add_humanoid(const InspectOptions& options, Asset& asset) {
  if (!options.humanoid.empty()) {
    asset.humanoid = load_humanoid_file(options.humanoid, *asset.skeleton).map;
  } else {
    map_humanoid(asset);
  }
  if (!asset.humanoid.bones.empty()) {
    const Issues found = humanoid_findings(*asset.skeleton, asset.humanoid, shown(options.rig));
    asset.issues.insert(asset.issues.end(), found.begin(), found.end());
  }
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

// Adds the seams that open in a clip.
void note_cracks(const std::string& rig, const MeshCracks& cracks, Asset& asset) {
  for (Issue& issue : crack_issues(cracks)) {
    issue.file = shown(rig);
    asset.issues.push_back(std::move(issue));
  }
  asset.issues = sorted_unique(std::move(asset.issues));
}

// Makes rigs broken whose positions at bind are not finite, because of huge numbers above them.
void find_overflows(Asset& asset) {
  for (Rig& rig : asset.rigs) {
    if (rig.fault) continue;
    try {
      bind_baseline(rig);
    } catch (const Error& error) {
      rig.fault = std::make_shared<const Error>(
          error.code(), error.message(), Location{asset.path, fmt::format("/nodes/{}", rig.node)},
          error.remedy());
    }
  }
}

// Moves what could not be read out of the asset and into its issues, as errors. Returns the first.
std::shared_ptr<const Error> take_broken(const InspectOptions& options, Asset& asset) {
  std::shared_ptr<const Error> first;
  const auto take = [&](const auto& part) {
    if (!part.fault) return false;
    if (!first) first = part.fault;
    const Location& at = part.fault->location();
    asset.issues.push_back({part.fault->code(), Severity::kError, shown(options.rig), at.pointer,
                            part.fault->message()});
    return true;
  };
  std::erase_if(asset.rigs, take);
  std::erase_if(asset.clips, take);
  if (first) {
    std::erase_if(asset.issues, [](const Issue& i) { return i.code == "PART_NOT_READ"; });
  }
  asset.issues = fold_repeated(std::move(asset.issues));
  return first;
}

// The surface of a mesh is measured at bind, which throws for positions that are not finite.
std::string text_of(const InspectOptions& options, Asset& asset) {
  try {
    const double fps = options.frames.fps;
    const MeshCracks cracks = widest_cracks(asset, fps);
    note_cracks(options.rig, cracks, asset);
    const std::unique_ptr<CacheReader> cache =
        is_baked_glb(options.rig) ? open_cache(options.rig) : nullptr;
    if (options.json) return inspect_json(asset, cracks, fps, cache.get());
    const std::string text = inspect_text(asset, fps);
    return cache ? text + "\n" + cache_text(*cache) : text;
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
  FrameOptions rate = options.frames;
  settle_fps(std::vector<KeyedClip>{{&clip, asset.skeleton.get(), asset.path}}, rate);
  const FrameRange frames = frames_of(clip, rate.fps);
  return options.json ? limits_json(asset, clip, frames, human)
                      : limits_text(asset, clip, frames, human);
}

}  // namespace

int run_inspect(InspectOptions options) {
  check_together(options);
  const CacheFormat* const cache = format_of_cache(options.rig);
  if (cache != nullptr && options.clips.clips.empty()) return inspect_cache(options, *cache);
  Asset asset = or_refuse(options, [&] { return load_asset(options.rig, options.load); });
  add_humanoid(options, asset);
  if (!options.clips.clips.empty()) {
    print(clip_text(options, asset));
    return strict_exit_code(options.strict, asset.issues);
  }
  note_many_meshes(options, asset);
  find_overflows(asset);
  const std::shared_ptr<const Error> broken = take_broken(options, asset);
  std::vector<const Clip*> clips;
  for (const Clip& clip : asset.clips) clips.push_back(&clip);
  settle_fps(keyed_clips(asset.path, *asset.skeleton, clips), options.frames);
  print(text_of(options, asset));
  if (broken) throw Error(*broken);
  return strict_exit_code(options.strict, asset.issues);
}

void setup_inspect(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InspectOptions>();
  options->frames.fps = kInspectionFps;
  CLI::App* command = app.add_subcommand("inspect", "Show the content of a file and its issues");
  command
      ->add_option("FILE", options->rig,
                   "glTF file (.gltf, .glb or .vrm), or a cache that skinbake reads")
      ->required()
      ->type_name("");
  command->add_flag("--json", options->json, "Print JSON instead of text, also for a refused file");
  add_fps_option(
      *command, options->frames,
      "Frames per second, for the frame counts of clips; clip: the lowest usual rate with a "
      "frame at every key");
  command
      ->add_option(
          "--humanoid", options->humanoid,
          R"(JSON file of the rig's human bones: {"hips": "pelvis", …}; default: found in the rig)")
      ->type_name("FILE");
  command
      ->add_option(
          "--clip", options->clips.clips,
          "Clip of --pose-json and --limits: its name or '#index', in this or another file")
      ->check(check_not_empty)
      ->type_name("ID|FILE[#ID]|poses:FILE")
      ->expected(1);
  command->add_flag("--pose-json", options->pose_json,
                    "Print a humanoid's pose at --at as JSON, which bake --clip poses:FILE reads");
  command->add_option("--at", options->at_s, "Time of --pose-json in the clip")
      ->type_name("SECONDS");
  command->add_flag(
      "--limits", options->limits,
      "Print a humanoid's muscles that leave their range: by how many degrees, in which frames");
  add_t_pose_option(*command, "--t-pose", options->clips.retarget.t_pose,
                    "T-pose of the rig: rest, auto (limbs straightened), or an instant of a clip");
  add_strict_option(*command, options->strict);
  add_load_options(*command, options->load);
  command->footer(
      "Examples:\n"
      "  skinbake inspect hero.glb\n"
      "  skinbake inspect hero.glb --humanoid bones.json\n"
      "  skinbake inspect hero.glb --fps 60\n"
      "  skinbake inspect run.pc2\n"
      "  skinbake inspect hero.glb --clip run --at 1.2 --pose-json > run.json\n"
      "  skinbake inspect hero.glb --clip run --limits\n"
      "  skinbake inspect hero.glb --json --strict");
  command->callback([options, &exit_code] { exit_code = run_inspect(*options); });
}

}  // namespace skinbake::cli
