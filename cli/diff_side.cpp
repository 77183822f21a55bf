#include "diff_side.h"

#include <algorithm>
#include <filesystem>

#include "clip_file.h"
#include "interrupt.h"
#include "mesh_errors.h"
#include "progress.h"
#include "selection.h"
#include "turned_cache.h"

namespace skinbake::cli {

bool is_rig_file(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".gltf" || extension == ".glb" || extension == ".vrm";
}

ChosenRig choose_rig(const DiffOptions& options, const std::string& path, const std::string& role,
                     bool with_clip) {
  ChosenRig chosen;
  chosen.asset = std::make_unique<Asset>(load_asset(path, options.load));
  Asset& asset = *chosen.asset;
  if (!asset.inputs.empty()) asset.inputs.front().role = role;
  const std::vector<const Rig*> rigs = select_meshes(asset, options.meshes);
  if (rigs.size() > 1) {
    std::string ids;
    for (const Rig* rig : rigs) ids += (ids.empty() ? "'" : ", '") + rig->id + "'";
    throw Error(ErrorKind::kUsage, "MESH_AMBIGUOUS",
                path + ": several mesh nodes; choose one with --mesh: " + ids);
  }
  chosen.rig = rigs.front();
  if (!with_clip) return chosen;

  BakeOptions wanted;  // what a bake of it would be asked for
  wanted.clip = options.clip;
  wanted.load = options.load;
  use_clip_file(wanted, asset);
  const std::vector<const Clip*> clips = select_clips(asset.clips, asset.path, wanted.clip);
  if (clips.size() > 1) {
    throw Error(ErrorKind::kUsage, "CLIP_AMBIGUOUS",
                path + ": --clip names several clips; a diff is of one");
  }
  chosen.clip = clips.front();
  chosen.frames = select_frames(asset.path, chosen.clip, options.frames);
  return chosen;
}

FrameCounts DiffSide::counts() const {
  if (rig) return {path, rig->rig->mesh->vertex_count(), rig->frames.frame_count};
  return {path, cache->vertex_count(), cache->frame_count()};
}

const FrameSource& DiffSide::source() const {
  if (spool) return *spool;
  if (turned) return *turned;
  return *cache;
}

DiffSide open_side(const DiffOptions& options, const std::string& path, const std::string& role) {
  DiffSide side;
  side.path = path;
  side.role = role;
  if (is_rig_file(path) && !is_baked_glb(path)) {
    side.rig = choose_rig(options, path, role, true);
  } else {
    side.cache = open_cache(path);
    side.turned = turned_cache(*side.cache);
  }
  return side;
}

void evaluate(const DiffOptions& options, DiffSide& side) {
  if (!side.rig) return;
  const ChosenRig& rig = *side.rig;
  side.spool = make_spool(rig.rig->mesh->vertex_count(), rig.frames.frame_count);
  Progress progress(rig.frames.frame_count, options.bar());
  progress.begin(one_line(side.path));
  BakePlan plan;
  plan.rig = rig.rig;
  plan.clip = rig.clip;
  plan.frames = rig.frames;
  plan.space = options.frames.space;
  plan.runs = {{parse_method(options.method), {side.spool.get()}}};
  plan.threads = options.threads;
  plan.progress = [&](std::int64_t frames) { progress.update(frames); };
  plan.cancelled = interrupt_flag();
  plan.bind_progress = [&](std::string_view method, double part) {
    progress.prepare(method, part);
  };
  naming_the_mesh(side.path, *rig.rig, [&] { bake(plan); });
}

}  // namespace skinbake::cli
