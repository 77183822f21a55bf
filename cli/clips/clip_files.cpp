#include "clips/clip_files.h"

#include <algorithm>

#include "base/paths.h"
#include "clips/selection.h"
#include "humanoid/map/human_map.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

namespace {

// A value of --clip.
struct WantedClip {
  enum class Kind { kOwn, kFile, kMade, kOmitted };
  Kind kind;
  std::string value;
};

std::vector<WantedClip> wanted_clips(const ClipSource& source, const Asset& asset) {
  std::vector<WantedClip> wanted;
  for (const std::string& value : source.clips) {
    const bool is_of_the_rig = std::any_of(asset.clips.begin(), asset.clips.end(),
                                           [&](const Clip& clip) { return clip.id == value; });
    if (!is_of_the_rig && value.starts_with('!')) {
      wanted.push_back({WantedClip::Kind::kOmitted, value});
      continue;
    }
    const bool is_of_a_file = !split_clip(value).path.empty();
    wanted.push_back({is_of_the_rig         ? WantedClip::Kind::kOwn
                      : is_made_clip(value) ? WantedClip::Kind::kMade
                      : is_of_a_file        ? WantedClip::Kind::kFile
                                            : WantedClip::Kind::kOwn,
                      value});
  }
  return wanted;
}

bool has_kind(const std::vector<WantedClip>& clips, WantedClip::Kind kind) {
  return std::any_of(clips.begin(), clips.end(),
                     [&](const WantedClip& clip) { return clip.kind == kind; });
}

// The clips of a collection, and the values that omit some of them, for select_clips.
UsedClips collected(const std::vector<WantedClip>& wanted, const ClipSource& source,
                    const LoadOptions& load, Asset& asset) {
  split_matrices(asset);
  map_humanoid(asset);
  ClipCollection collection(source, load, asset);
  for (const WantedClip& clip : wanted) {
    if (clip.kind == WantedClip::Kind::kOwn) collection.add_own(clip.value);
    if (clip.kind == WantedClip::Kind::kFile) collection.add_of_file(split_clip(clip.value));
    if (clip.kind == WantedClip::Kind::kMade) collection.add_made(clip.value);
  }
  UsedClips used = collection.finish();
  for (const Clip& clip : asset.clips) require_movable_bones(clip, asset);
  for (const WantedClip& clip : wanted) {
    if (clip.kind == WantedClip::Kind::kOmitted) used.ids.push_back(clip.value);
  }
  return used;
}

}  // namespace

void map_humanoid(Asset& asset) {
  if (!asset.humanoid.source.empty()) return;
  std::size_t joints = 0;
  for (const SkinSummary& skin : asset.skins) joints = std::max(joints, skin.joints.size());
  asset.humanoid = find_humanoid(*asset.skeleton, joints, shown(asset.path), asset.issues);
}

UsedClips use_clip_files(const ClipSource& source, const LoadOptions& load, Asset& asset) {
  const std::vector<WantedClip> wanted = wanted_clips(source, asset);
  for (const WantedClip& clip : wanted) {
    if (clip.kind == WantedClip::Kind::kOwn)
      require_one_meaning(asset.clips, asset.path, clip.value);
  }
  const bool keeps_own_clips =
      !has_kind(wanted, WantedClip::Kind::kFile) && !has_kind(wanted, WantedClip::Kind::kMade);
  return keeps_own_clips ? UsedClips{source.clips, {}, {}} : collected(wanted, source, load, asset);
}

UsedClips use_other_clip(const ClipSource& source, const LoadOptions& load, Asset& asset) {
  const std::string& clip = source.clips.front();
  const WantedClip::Kind kind =
      is_made_clip(clip) ? WantedClip::Kind::kMade : WantedClip::Kind::kFile;
  return collected({{kind, clip}}, source, load, asset);
}

}  // namespace skinbake::cli
