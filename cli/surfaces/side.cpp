#include "surfaces/side.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/paths.h"
#include "clips/clip_files.h"
#include "clips/selection.h"
#include "clips/used_issues.h"
#include "comparison/stated_frames.h"
#include "json/text.h"
#include "options/file_kinds.h"
#include "options/usage_error.h"
#include "skinbake/methods.h"
#include "terminal/format.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

// Every mesh has a temporary file, and a process may open about a thousand.
constexpr std::size_t kMostMeshes = 256;

const std::vector<std::string>& meshes_of(const SurfaceOptions& options, const SurfaceSide& side) {
  return side.role == "b" && !options.meshes_b.empty() ? options.meshes_b : options.meshes;
}

const std::vector<std::string>& clips_of(const SurfaceOptions& options, const SurfaceSide& side) {
  return side.role == "b" && !options.clips_b.empty() ? options.clips_b : options.clips;
}

void choose_meshes(const SurfaceOptions& options, SurfaceSide& side) {
  side.rigs = select_meshes(*side.asset, meshes_of(options, side));
  if (side.rigs.size() <= kMostMeshes) return;
  throw Error("TOO_MANY_MESHES",
              fmt::format("{} mesh nodes; the surface of at most {} is compared", side.rigs.size(),
                          kMostMeshes),
              {side.path, ""});
}

void choose_clips(const SurfaceOptions& options, SurfaceSide& side) {
  Asset& asset = *side.asset;
  ClipSource source;
  source.fps = options.frames.fps;
  source.space = options.frames.space;
  source.clips = clips_of(options, side);
  if (source.clips.empty()) source.clips = {"all"};
  const UsedClips used = use_clip_files(source, options.load, asset);
  const std::vector<const Clip*> clips = select_clips(asset.clips, asset.path, used.ids);
  asset.issues = issues_of_used(asset, side.rigs, clips, used.file_of);
  for (const Clip* clip : clips) {
    side.clips.push_back({clip == nullptr ? "" : clip->id, clip, {}});
  }
  for (Issue& issue : warn_of_exclusions(asset, used.ids, meshes_of(options, side))) {
    asset.issues.push_back(std::move(issue));
  }
}

std::int64_t vertex_count(const std::vector<const Rig*>& rigs) {
  std::int64_t count = 0;
  for (const Rig* rig : rigs) count += rig->mesh->vertex_count();
  return count;
}

// Points are placed in the scene, where meshes are one surface.
void require_scene_space(const SurfaceSide& side, Space space) {
  if (space == Space::kScene) return;
  throw Error("NOT_COMPARABLE", "not comparable: the frames of " + side.path +
                                    " are in mesh space; bake it in scene space");
}

// Warns if the sidecar names another rig than the one that was given.
void check_rig(const SurfaceSide& side, const CacheProvenance& provenance, Issues& issues) {
  const InputFile& rig = side.asset->inputs.front();
  const InputFile* baked = nullptr;
  for (const InputFile& input : provenance.inputs) {
    if (input.role == "rig" && baked == nullptr) baked = &input;
  }
  if (baked == nullptr || baked->xxh128 == rig.xxh128) return;
  Issue issue;
  issue.code = "CACHE_OF_OTHER_RIG";
  issue.severity = Severity::kWarning;
  issue.file = shown(side.path);
  issue.message = fmt::format("was baked from a file {} that differs from {}", baked->path,
                              shown(side.asset->path));
  issues.push_back(issue);
}

// A cache of several clips has their frames one after another.
void require_one_clip(const SurfaceSide& side, const CacheProvenance& provenance) {
  if (provenance.clips.size() < 2) return;
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, provenance.clips.size()); ++i) {
    names += (i == 0 ? "'" : ", '") + printable(provenance.clips[i].clip) + "'";
  }
  throw Error("NOT_COMPARABLE",
              fmt::format("not comparable: {} contains {} clips ({}{}); bake one clip into a cache "
                          "with --clip",
                          side.path, provenance.clips.size(), names,
                          provenance.clips.size() > kNamed ? ", …" : ""));
}

// The clip and the frames by the sidecar of the cache, else by the cache.
SideClip clip_of_cache(SurfaceSide& side) {
  side.issues = ignored_sidecar(*side.cache);
  SideClip clip{"", nullptr, side.cache->frames(), side.cache->has_times(),
                !side.cache->has_times()};
  const std::optional<CacheProvenance> provenance = side.cache->provenance();
  if (!provenance) return clip;
  require_scene_space(side, provenance->space);
  require_one_clip(side, *provenance);
  check_rig(side, *provenance, side.issues);
  clip.id = provenance->clip;
  clip.frames.fps = provenance->frames.fps;
  clip.frames.first_frame = provenance->frames.first_frame;
  clip.frames.frame_step = provenance->frames.frame_step;
  clip.has_rate = clip.is_exact = true;
  return clip;
}

void open_cache_of(const SurfaceOptions& options, SurfaceSide& side) {
  const std::vector<std::string>& meshes = meshes_of(options, side);
  record_inputs({side.path, side.path + ".json"});
  side.cache = open_cache(side.path, meshes.size() == 1 ? meshes.front() : "");
  side.turned = in_rig_axes(*side.cache);
  const std::int64_t in_rig = vertex_count(side.rigs);
  if (side.cache->vertex_count() != in_rig) {
    throw Error("NOT_COMPARABLE",
                fmt::format("not comparable: {} has {} vertices, the meshes of its rig {} have {}",
                            side.path, side.cache->vertex_count(), side.asset->path, in_rig));
  }
  side.clips.push_back(clip_of_cache(side));
}

}  // namespace

void require_finite_bind(const std::string& path, std::span<const Rig* const> rigs) {
  for (const Rig* rig : rigs) {
    with_mesh_location(path, *rig, [&] { bind_baseline(*rig); });
  }
}

SurfaceSide open_surface_side(const SurfaceOptions& options, const std::string& path,
                              const std::string& rig, const std::string& role) {
  if (options.frames.space != Space::kScene) {
    throw UsageError("--space",
                     "mesh applies to --match index; surfaces are compared in the scene");
  }
  SurfaceSide side;
  side.path = path;
  side.role = role;
  const bool is_rig = is_evaluated(path);
  if (is_rig && !rig.empty()) {
    throw UsageError("--rig-" + role, "is the rig of a cache, and " + path + " is a rig itself");
  }
  if (!is_rig && rig.empty()) {
    open_cache(path);  // throws Error if it is no cache
    throw UsageError("--match", path + " is a cache; name its rig with --rig-" + role);
  }
  side.asset = std::make_unique<Asset>(load_rig(is_rig ? path : rig, options.load));
  if (!side.asset->inputs.empty()) side.asset->inputs.front().role = is_rig ? role : "rig";
  choose_meshes(options, side);
  require_finite_bind(side.asset->path, side.rigs);
  is_rig ? choose_clips(options, side) : open_cache_of(options, side);
  record_inputs(side.asset->files, side.asset->inputs);
  return side;
}

BakePlan bake_plan(const SurfaceOptions& options, const Rig& rig, const SideClip& clip,
                   const FrameRange& frames) {
  BakePlan plan;
  plan.rig = &rig;
  plan.clip = clip.clip;
  plan.frames = frames;
  plan.space = options.frames.space;
  plan.runs = {{parse_method(options.method), {}}};
  plan.threads = options.threads;
  return plan;
}

SideFrames::SideFrames(const SurfaceOptions& options, const SurfaceSide& side, const SideClip& clip,
                       const FrameRange& frames, Passes& passes) {
  std::vector<const FrameSource*> sources;
  if (side.cache) {
    sources.push_back(side.turned ? side.turned.get() : side.cache.get());
  } else {
    evaluate(options, side, clip, frames, passes);
    for (const auto& mesh : temporary_) sources.push_back(mesh.get());
  }
  joined_ = joined_frames(std::move(sources), frames.frame_count);
}

void SideFrames::evaluate(const SurfaceOptions& options, const SurfaceSide& side,
                          const SideClip& clip, const FrameRange& frames, Passes& passes) {
  for (const Rig* rig : side.rigs) {
    temporary_.push_back(make_temporary_frames(rig->mesh->vertex_count(), frames.frame_count));
    passes.begin(printable(side.path + (clip.id.empty() ? "" : " " + clip.id)), frames.frame_count);
    BakePlan plan = bake_plan(options, *rig, clip, frames);
    plan.runs.front().sinks = {temporary_.back().get()};
    plan.progress = passes.updates();
    plan.bind_progress = [&](std::string_view method, double part) {
      passes.prepare(method, part);
    };
    with_mesh_location(side.path, *rig, [&] { bake(plan); });
  }
}

}  // namespace skinbake::cli
