#include "clips/clip_files.h"

#include <algorithm>

#include "gltf/write/rig_file.h"
#include "json/printable.h"
#include "options/parsing/usage_error.h"
#include "outputs/output_paths.h"
#include "skinbake/human_clips.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// Throws if an option is for the clips of other files, and there are none.
void require_no_file_options(const ClipSource& source) {
  if (!source.map.empty()) {
    throw Error(
        ErrorKind::kUsage, "MAP_WITHOUT_CLIP_FILE",
        "--map pairs node names of two files; name the file of the clip with --clip FILE[#ID]");
  }
  const std::string needs_file = "is for clips of other files; name one with --clip FILE[#ID]";
  if (!source.clip_humanoid.empty()) throw UsageError("--clip-humanoid", needs_file);
  if (source.retarget.clip_t_pose.source != TPoseSource::kByMap) {
    throw UsageError("--clip-t-pose", needs_file);
  }
}

// Throws if there is a T-pose of the rig, whose own clips play as they are.
void require_no_t_pose(const ClipSource& source) {
  if (source.retarget.t_pose.source == TPoseSource::kByMap) return;
  throw UsageError("--t-pose",
                   "is for clips that move the rig as a human body; add --clip FILE, --clip rom, "
                   "--clip poses:FILE, --mirror or --root-motion");
}

// Throws if the options of --retarget contradict one another.
void require_consistent(const RetargetOptions& options) {
  if (options.mode != RetargetMode::kNames && options.mode != RetargetMode::kOff) return;
  if (options.mirror) throw UsageError("--mirror", "exchanges bones, not names; omit --retarget");
  if (options.root_motion == RootMotion::kKeep) return;
  throw UsageError("--root-motion", "moves the hips of a human body; omit --retarget");
}

void take_humanoid(const std::string& path, const LoadOptions& load, Asset& asset) {
  HumanoidFile file = load_humanoid_file(path, *asset.skeleton, memory_beside(load, asset));
  asset.humanoid = std::move(file.map);
  asset.inputs.push_back(file.input);
  asset.files.push_back(path);
  const Issues found = humanoid_findings(*asset.skeleton, asset.humanoid, shown(asset.path));
  asset.issues.insert(asset.issues.end(), found.begin(), found.end());
}

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
      throw Error(ErrorKind::kInput, "MATRIX_SHEARED",
                  "the node '" +
                      printable(asset.skeleton->nodes[static_cast<std::size_t>(stuck)].name) +
                      "', a bone that clip '" + printable(clip.id) +
                      "' turns, has a matrix with shear or a scale of zero, which an animation "
                      "cannot move; apply the scales of the nodes above it, and export the file "
                      "again",
                  {asset.path, fmt::format("/nodes/{}/matrix", stuck)});
    }
  }
}

// The clips of a collection, and the values that omit some of them, for select_clips.
UsedClips finished(ClipCollection& collection, const std::vector<Wanted>& wanted,
                   const Asset& asset) {
  UsedClips used = collection.finish();
  require_movable_bones(asset);
  for (const Wanted& clip : wanted) {
    if (clip.kind == Wanted::Kind::kOmitted) used.ids.push_back(clip.value);
  }
  return used;
}

}  // namespace

bool keeps_own_clips(const ClipSource& source, const Asset& asset) {
  const std::vector<Wanted> clips = wanted_clips(source, asset);
  return !source.retarget.needs_humanoid() && !has_kind(clips, Wanted::Kind::kFile) &&
         !has_kind(clips, Wanted::Kind::kMade);
}

UsedClips use_clip_files(const ClipSource& source, const LoadOptions& load, Asset& asset) {
  require_consistent(source.retarget);
  if (!source.humanoid.empty()) take_humanoid(source.humanoid, load, asset);
  const std::vector<Wanted> wanted = wanted_clips(source, asset);
  for (const Wanted& clip : wanted) {
    if (clip.kind == Wanted::Kind::kOwn) require_one_meaning(asset.clips, asset.path, clip.value);
  }
  const bool has_files = has_kind(wanted, Wanted::Kind::kFile);
  const bool has_made = has_kind(wanted, Wanted::Kind::kMade);
  if (!has_files) require_no_file_options(source);
  if (!has_made && !source.ranges.empty()) {
    throw UsageError("--ranges",
                     "is for --clip rom and --clip poses:FILE; name one of them, also if only "
                     "--influences N:fit "
                     "learns from rom");
  }
  if (!has_files && !has_made && !source.retarget.needs_humanoid()) {
    require_no_t_pose(source);
    return {source.clips, {}, {}};
  }
  split_matrices(asset);
  const auto is_omitted = [](const Wanted& clip) { return clip.kind == Wanted::Kind::kOmitted; };
  if (std::all_of(wanted.begin(), wanted.end(), is_omitted)) {
    ClipCollection own(source, load, asset);
    own.add_own(wanted.empty() ? "" : "all");
    return finished(own, wanted, asset);
  }
  ClipCollection collection(source, load, asset);
  if ((has_files || has_made) && asset.humanoid.bones.empty())
    asset.humanoid = find_humanoid(*asset.skeleton);
  for (const Wanted& clip : wanted) {
    switch (clip.kind) {
      case Wanted::Kind::kOwn:
        collection.add_own(clip.value);
        break;
      case Wanted::Kind::kFile:
        collection.add_of_file(split_clip(clip.value));
        break;
      case Wanted::Kind::kMade:
        collection.add_made(clip.value);
        break;
      case Wanted::Kind::kOmitted:
        break;
    }
  }
  return finished(collection, wanted, asset);
}

}  // namespace skinbake::cli
