#include "clips/clip_files.h"

#include <algorithm>

#include "gltf/write/rig_file.h"
#include "json/text.h"
#include "skinbake/human_clips.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// A value of --clip.
struct Wanted {
  enum class Kind { kOwn, kFile, kMade, kOmitted };
  Kind kind;
  std::string value;
};

std::vector<Wanted> wanted_clips(const ClipSource& source, const Asset& asset) {
  std::vector<Wanted> wanted;
  for (const std::string& value : source.clips) {
    const bool is_of_the_rig = std::any_of(asset.clips.begin(), asset.clips.end(),
                                           [&](const Clip& clip) { return clip.id == value; });
    if (!is_of_the_rig && value.starts_with('!')) {
      wanted.push_back({Wanted::Kind::kOmitted, value});
      continue;
    }
    const bool is_of_a_file = !split_clip(value).path.empty();
    wanted.push_back({is_of_the_rig         ? Wanted::Kind::kOwn
                      : is_made_clip(value) ? Wanted::Kind::kMade
                      : is_of_a_file        ? Wanted::Kind::kFile
                                            : Wanted::Kind::kOwn,
                      value});
  }
  return wanted;
}

bool has_kind(const std::vector<Wanted>& clips, Wanted::Kind kind) {
  return std::any_of(clips.begin(), clips.end(),
                     [&](const Wanted& clip) { return clip.kind == kind; });
}

// Throws Error (kInput, MATRIX_SHEARED) if a bone that a clip turns cannot move.
void require_movable_bones(const Asset& asset) {
  for (const Clip& clip : asset.clips) {
    for (const NodeIndex stuck : stuck_bones(clip)) {
      throw Error(
          "MATRIX_SHEARED",
          "the node '" + printable(asset.skeleton->nodes[static_cast<std::size_t>(stuck)].name) +
              "', a bone that clip '" + printable(clip.id) +
              "' turns, has a matrix with shear or a scale of zero, which an animation cannot move",
          {asset.path, fmt::format("/nodes/{}/matrix", stuck)});
    }
  }
}

// The clips of a collection, and the values that omit some of them, for select_clips.
UsedClips collected(const std::vector<Wanted>& wanted, const ClipSource& source,
                    const LoadOptions& load, Asset& asset) {
  split_matrices(asset);
  if (asset.humanoid.bones.empty()) asset.humanoid = find_humanoid(*asset.skeleton);
  ClipCollection collection(source, load, asset);
  for (const Wanted& clip : wanted) {
    if (clip.kind == Wanted::Kind::kOwn) collection.add_own(clip.value);
    if (clip.kind == Wanted::Kind::kFile) collection.add_of_file(split_clip(clip.value));
    if (clip.kind == Wanted::Kind::kMade) collection.add_made(clip.value);
  }
  UsedClips used = collection.finish();
  require_movable_bones(asset);
  for (const Wanted& clip : wanted) {
    if (clip.kind == Wanted::Kind::kOmitted) used.ids.push_back(clip.value);
  }
  return used;
}

}  // namespace

UsedClips use_clip_files(const ClipSource& source, const LoadOptions& load, Asset& asset) {
  const std::vector<Wanted> wanted = wanted_clips(source, asset);
  for (const Wanted& clip : wanted) {
    if (clip.kind == Wanted::Kind::kOwn) require_one_meaning(asset.clips, asset.path, clip.value);
  }
  const bool keeps_own_clips =
      !has_kind(wanted, Wanted::Kind::kFile) && !has_kind(wanted, Wanted::Kind::kMade);
  return keeps_own_clips ? UsedClips{source.clips, {}} : collected(wanted, source, load, asset);
}

UsedClips use_other_clip(const ClipSource& source, const LoadOptions& load, Asset& asset) {
  const std::string& clip = source.clips.front();
  const Wanted::Kind kind = is_made_clip(clip) ? Wanted::Kind::kMade : Wanted::Kind::kFile;
  return collected({{kind, clip}}, source, load, asset);
}

}  // namespace skinbake::cli
