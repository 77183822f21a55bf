// The sides of a comparison of frames.

#include <algorithm>
#include <cstdint>

#include "base/paths.h"
#include "clips/clip_files.h"
#include "clips/selection.h"
#include "clips/used_issues.h"
#include "comparison/stated_frames.h"
#include "diff/side.h"
#include "json/text.h"
#include "options/file_kinds.h"
#include "skinbake/methods.h"
#include "terminal/console.h"
#include "terminal/format.h"
#include "terminal/progress.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

ChosenRig choose_rig(const DiffOptions& options, const std::string& path, const std::string& role,
                     bool with_clip) {
  ChosenRig chosen;
  chosen.asset = std::make_shared<Asset>(load_rig(path, options.load));
  Asset& asset = *chosen.asset;
  record_inputs(asset.files, asset.inputs);
  if (!asset.inputs.empty()) asset.inputs.front().role = role;
  const std::vector<const Rig*> rigs = select_meshes(asset, options.meshes);
  if (rigs.size() > 1) {
    std::string ids;
    for (const Rig* rig : rigs) ids += (ids.empty() ? "'" : ", '") + rig->id + "'";
    throw Error("MESH_AMBIGUOUS", path + ": several mesh nodes; choose one: " + ids);
  }
  chosen.rig = rigs.front();
  const auto warn = [&](const std::vector<std::string>& clips,
                        const std::vector<std::string>& meshes) {
    for (Issue& issue : warn_of_exclusions(asset, clips, meshes)) {
      asset.issues.push_back(std::move(issue));
    }
  };
  if (!with_clip) {
    asset.issues = issues_of_used(asset, rigs, {});
    warn({}, options.meshes);
    return chosen;
  }

  ClipSource source;
  source.fps = options.frames.fps;
  source.space = options.frames.space;
  source.clips = options.clips;
  const UsedClips used = use_clip_files(source, options.load, asset);
  record_inputs(asset.files, asset.inputs);
  const std::vector<const Clip*> clips = select_clips(asset.clips, asset.path, used.ids);
  if (clips.size() > 1) {
    throw Error("CLIP_AMBIGUOUS",
                path + ": several clips are selected, and one is compared with a cache");
  }
  asset.issues = issues_of_used(asset, rigs, clips, used.file_of);
  warn(used.ids, options.meshes);
  chosen.clip = clips.front();
  return chosen;
}

FrameCounts DiffSide::counts() const {
  if (rig) return {path, rig->rig->mesh->vertex_count(), rig->frames.frame_count};
  return {path, cache->vertex_count(), cache->frame_count()};
}

std::optional<FrameRange> DiffSide::numbered_frames(bool is_verified) const {
  if (rig) return rig->frames;
  if (cache->format().holds_numbers || cache->format().holds_times) return cache->frames();
  const auto provenance = is_verified ? cache->provenance() : cache->claimed_provenance();
  return provenance ? std::optional(provenance->frames) : std::nullopt;
}

const FrameSource& DiffSide::source() const {
  if (temporary) return *temporary;
  if (turned) return *turned;
  return *cache;
}

DiffSide open_side(const DiffOptions& options, const std::string& path, const std::string& role) {
  DiffSide side;
  side.path = path;
  side.role = role;
  if (is_evaluated(path)) {
    side.rig = choose_rig(options, path, role, true);
  } else {
    record_inputs({path, path + ".json"});
    side.cache = open_cache(path, options.meshes.size() == 1 ? options.meshes.front() : "");
    side.turned = in_rig_axes(*side.cache);
  }
  return side;
}

BakePlan bake_plan(const DiffOptions& options, const ChosenRig& rig) {
  BakePlan plan;
  plan.rig = rig.rig;
  plan.clip = rig.clip;
  plan.frames = rig.frames;
  plan.space = options.frames.space;
  plan.runs = {{parse_method(options.method), {}}};
  plan.threads = options.threads;
  return plan;
}

void evaluate(const DiffOptions& options, DiffSide& side) {
  if (!side.rig) return;
  const ChosenRig& rig = *side.rig;
  side.temporary = make_temporary_frames(rig.rig->mesh->vertex_count(), rig.frames.frame_count);
  Progress progress(rig.frames.frame_count, options.bar());
  progress.begin(printable(side.path));
  BakePlan plan = bake_plan(options, rig);
  plan.runs.front().sinks = {side.temporary.get()};
  plan.progress = [&](std::int64_t frames) { progress.update(frames); };
  plan.bind_progress = [&](std::string_view method, double part) {
    progress.prepare(method, part);
  };
  with_mesh_location(side.path, *rig.rig, [&] { bake(plan); });
}

namespace {

// Of a rig, by the options; of a cache, by its sidecar or the file.
StatedFrames stated_by(const DiffOptions& options, const DiffSide& side, bool is_verified) {
  if (!side.rig) return stated_frames(*side.cache, is_verified);
  const FrameRange& frames = side.rig->frames;
  const std::string clip = side.rig->clip == nullptr ? "" : side.rig->clip->id;
  return {frames,
          true,
          true,
          options.frames.space,
          {{clip, frames.first_frame, frames.frame_step, frames.frame_count}}};
}

}  // namespace

Issues unlike_frames(const DiffOptions& options, const DiffSide& a, const DiffSide& b) {
  const auto find = [&](bool is_verified) {
    StatedFrames of_a = stated_by(options, a, is_verified);
    if (a.rig && b.rig) of_a.clips.clear();  // the clips of two rigs are chosen or paired
    return unlike_frames(shown(a.path), of_a, shown(b.path), stated_by(options, b, is_verified));
  };
  // Checking the hash of a sidecar reads the whole cache. It is done only if the claims differ.
  return find(false).empty() ? Issues{} : find(true);
}

void require_like_frames(const DiffOptions& options, const DiffSide& a, const DiffSide& b) {
  const bool is_gate = std::ranges::any_of(options.thresholds.given, [](const Threshold& limit) {
    return limit.severity == CheckSeverity::kFail;
  });
  if (!is_gate) return;
  for (const Issue& issue : unlike_frames(options, a, b)) {
    // A clip may have been renamed.
    if (issue.code == "CLIP_OF_OTHER_NAME" || is_allowed(issue)) continue;
    throw Error("NOT_COMPARABLE",
                issue.message + "; with a threshold this is an error, unless --allow " +
                    issue.code + " is given",
                {issue.file, ""});
  }
}

}  // namespace skinbake::cli
