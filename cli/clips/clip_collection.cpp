#include "clips/clip_collection.h"

#include <algorithm>
#include <iterator>

#include "base/paths.h"
#include "clips/selection.h"
#include "gltf/clip_file/match_index.h"
#include "humanoid/map/human_map.h"
#include "options/usage_error.h"
#include "skinbake/bake.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// The first names, for a message.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  std::size_t named = 0;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    if (named == kNamed) return text + ", …";
    text += (named++ == 0 ? "'" : ", '") + name + "'";
  }
  return text.empty() ? (names.empty() ? "none" : "without names") : text;
}

// The first names of nodes, as a map of names writes them.
std::string some_names(const Skeleton& skeleton, const std::set<NodeIndex>& nodes) {
  std::vector<std::string> names;
  for (const NodeIndex n : nodes) {
    const std::string& name = skeleton.nodes[static_cast<std::size_t>(n)].name;
    names.push_back(name.empty() ? "#" + std::to_string(n) : name);
  }
  return some_of(names);
}

std::set<NodeIndex> moved_nodes(const Clip& clip) {
  std::set<NodeIndex> nodes;
  for (const Channel& channel : clip.channels) nodes.insert(channel.node);
  return nodes;
}

// The nodes that move meshes; of a file without meshes, all.
std::set<NodeIndex> moving_nodes(const Asset& asset) {
  std::set<NodeIndex> nodes;
  for (const Rig& rig : asset.rigs) {
    const std::vector<NodeIndex> of_rig = gltf::moving_nodes(rig);
    nodes.insert(of_rig.begin(), of_rig.end());
  }
  if (asset.rigs.empty()) nodes.insert(asset.skeleton->order.begin(), asset.skeleton->order.end());
  return nodes;
}

// The most nodes that one clip of a file turns: its joints, whether or not the file has a skin.
std::size_t most_turned_nodes(const ClipFile& file) {
  std::size_t most = 0;
  for (const Clip& clip : file.clips) {
    std::set<NodeIndex> turned;
    for (const Channel& channel : clip.channels) {
      if (channel.path == ChannelPath::kRotation) turned.insert(channel.node);
    }
    most = std::max(most, turned.size());
  }
  return most;
}

// The morph targets of a node of the clip, and of its partner in the rig, if they have no name in
// common; empty: there are none. Pairing the nodes does not help then.
std::string unlike_targets(const ClipFile& file, const Clip& clip, const Asset& asset,
                           const NameMap& names) {
  for (const Channel& channel : clip.channels) {
    const auto of_clip = file.morph_names.find(channel.node);
    if (channel.path != ChannelPath::kWeights || of_clip == file.morph_names.end()) continue;
    const std::string& name = file.skeleton->nodes[static_cast<std::size_t>(channel.node)].name;
    for (const auto& [node, of_rig] : asset.morph_names) {
      const std::string& rig_name = asset.skeleton->nodes[static_cast<std::size_t>(node)].name;
      const auto mapped = names.clip_name_of.find(rig_name);
      if (name != (mapped == names.clip_name_of.end() ? rig_name : mapped->second)) continue;
      const std::vector<std::string>& targets = *of_rig;
      if (std::ranges::any_of(*of_clip->second, [&](const std::string& target) {
            return std::ranges::find(targets, target) != targets.end();
          })) {
        continue;
      }
      return fmt::format("the morph targets of its node '{}' are {}, and the rig's are {}", name,
                         some_of(*of_clip->second), some_of(targets));
    }
  }
  return "";
}

// Throws: a clip that moves nothing would be baked as many equal frames.
[[noreturn]] void fail_without_motion(const ClipFile& file, const Clip& clip, const Asset& asset,
                                      const NameMap& names) {
  const std::string targets = unlike_targets(file, clip, asset, names);
  const bool can_be_bodies =
      std::min(file.skeleton->nodes.size(), asset.skeleton->nodes.size()) >= kRequiredBones;
  const std::string remedy = targets.empty()
                                 ? fmt::format(
                                       "; pair the clip's nodes ({}) with the nodes that move the "
                                       "rig's meshes ({}) by a map{}",
                                       some_names(*file.skeleton, moved_nodes(clip)),
                                       some_names(*asset.skeleton, moving_nodes(asset)),
                                       can_be_bodies ? ", name the bones of both human bodies" : "")
                                 : fmt::format(": {}; name the targets alike", targets);
  throw Error("CLIP_MOVES_NOTHING",
              fmt::format("none of the {} channels of clip '{}' moves a mesh of the rig '{}'{}, "
                          "export the clip for this rig, or omit it by '!{}'",
                          clip.channels.size(), clip.id, asset.path, remedy, clip.id),
              {file.path, fmt::format("/animations/{}", clip.index)});
}

constexpr std::size_t kMostRepeated = 10'000;  // issues

template <class Elements>
void append(Elements from, Elements& to) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

ClipCollection::ClipCollection(const ClipSource& source, const LoadOptions& load, Asset& asset)
    : source_(source), load_(load), asset_(asset) {
  if (!source.map.empty()) names_ = load_name_map(source.map);
}

void ClipCollection::add_own(const std::string& id) {
  const std::vector<const Clip*> clips = select_clips(asset_.clips, asset_.path, {id});
  if (clips.front() == nullptr) {
    throw_usage("CLIP_UNKNOWN", asset_.path +
                                    ": the file does not have a clip; name a file with "
                                    "an animation");
  }
  for (const Clip* clip : clips) add(asset_.path, *clip);
}

void ClipCollection::add_of_file(const FileClip& wanted) {
  ClipFile& file = file_at(wanted.path);
  require_one_meaning(file.clips, file.path, wanted.id);
  const std::vector<const Clip*> clips = select_clips(file.clips, file.path, {wanted.id});
  RetargetOptions options = source_.retarget;
  options.names = names_;
  ClipMatcher matcher(file, asset_, options);
  for (const Clip* clip : clips) {
    MatchedClip result = matcher.match(*clip);
    if (!moves(result) && !is_omitted(*clip)) fail_without_motion(file, *clip, asset_, names_);
    add_issues(std::move(result.issues));
    used_.file_of[clip->id] = file.shown_as;
    add(file.path, std::move(result.clip));
  }
}

void ClipCollection::add_made(const std::string& text) {
  const HumanClipOptions options{source_.retarget.t_pose, ranges()};
  if (text.starts_with(kPoses)) {
    const std::string path = text.substr(kPoses.size());
    if (path.empty()) throw UsageError("--clip", "'poses:' does not name a file");
    PosesClip made = load_poses(path, asset_, source_.fps, options);
    asset_.inputs.push_back(made.input);
    asset_.files.push_back(path);
    used_.file_of[made.clip.id] = made.input.path;
    used_.made.insert(made.clip.id);
    add(path, std::move(made.clip));
  } else {
    const std::string part = text == kRom ? "" : text.substr(kRom.size() + 1);
    if (part.empty() && text != kRom) throw UsageError("--clip", "'rom:' does not name a part");
    Clip made = range_of_motion(asset_, part, options);
    used_.made.insert(made.id);
    add(text, std::move(made));
  }
  add_issues(negative_scales(*asset_.skeleton, asset_.humanoid, shown(asset_.path)));
}

UsedClips ClipCollection::finish() {
  for (const Clip& clip : clips_) used_.ids.push_back(clip.id);
  asset_.clips = std::move(clips_);
  for (ClipFile& file : files_) {
    append(std::move(file.issues), asset_.issues);
    append(std::move(file.inputs), asset_.inputs);
  }
  asset_.issues = sorted_unique(std::move(asset_.issues));
  append(std::move(names_.inputs), asset_.inputs);
  for (ClipFile& file : files_) {
    append(std::move(file.files), asset_.files);
    append(std::move(file.unread_files), asset_.unread_files);
  }
  if (!names_.path.empty()) asset_.files.push_back(names_.path);
  return std::move(used_);
}

MuscleRanges ClipCollection::ranges() {
  if (source_.ranges.empty()) return {};
  if (ranges_) return *ranges_;  // also if the file has none
  MuscleRangesFile file = load_muscle_ranges(source_.ranges);
  asset_.inputs.push_back(file.input);
  asset_.files.push_back(source_.ranges);
  return ranges_.emplace(std::move(file.ranges));
}

// A rig without meshes is written with the clip as well. In mesh space, the node of a skinned mesh
// changes the positions, too.
bool ClipCollection::moves(const MatchedClip& matched) const {
  if (matched.moves_meshes) return true;
  if (!asset_.rigs.empty()) {
    const std::set<NodeIndex> moved = moved_nodes(matched.clip);
    const auto has_moved_space = [&](const Rig& rig) {
      NodeIndex node = rig.node;
      while (node >= 0 && !moved.contains(node)) node = asset_.skeleton->base_of(node);
      return node >= 0;
    };
    return source_.space == Space::kMesh && std::ranges::any_of(asset_.rigs, has_moved_space);
  }
  return matched.clip.motion != nullptr || !matched.clip.channels.empty();
}

// Whether a value of --clip that begins with '!' omits the clip. A clip of the rig may have a name
// that begins with '!'.
bool ClipCollection::is_omitted(const Clip& clip) const {
  const auto is_of_the_rig = [&](const std::string& id) {
    return std::any_of(asset_.clips.begin(), asset_.clips.end(),
                       [&](const Clip& own) { return own.id == id; });
  };
  std::vector<std::string> omissions;
  for (const std::string& value : source_.clips) {
    if (value.starts_with('!') && !is_of_the_rig(value)) omissions.push_back(value);
  }
  return !selects_name(omissions, clip.id);
}

// Each of a thousand clips may have the same thousands of issues, which finish() would merge.
void ClipCollection::add_issues(Issues issues) {
  append(std::move(issues), asset_.issues);
  if (asset_.issues.size() <= 2 * unique_issues_ + kMostRepeated) return;
  asset_.issues = sorted_unique(std::move(asset_.issues));
  unique_issues_ = asset_.issues.size();
}

ClipFile& ClipCollection::file_at(const std::string& path) {
  for (ClipFile& file : files_) {
    if (file.path == path) return file;
  }
  files_.push_back(load_clip_file(path, load_));
  ClipFile& file = files_.back();
  if (file.clips.empty()) {
    throw_usage("CLIP_UNKNOWN",
                path + ": the file does not have a clip; name a file with an animation");
  }
  if (!source_.clip_humanoid.empty()) {
    HumanoidFile map = load_humanoid_file(source_.clip_humanoid, *file.skeleton);
    file.humanoid = std::move(map.map);
    file.inputs.push_back(map.input);
    file.files.push_back(source_.clip_humanoid);
    append(humanoid_findings(*file.skeleton, file.humanoid, file.shown_as), file.issues);
  } else if (file.humanoid.bones.empty()) {
    // Once for all clips of the file.
    file.humanoid =
        find_humanoid(*file.skeleton, most_turned_nodes(file), file.shown_as, file.issues);
  }
  return file;
}

void ClipCollection::add(const std::string& path, Clip clip) {
  if (!taken_.emplace(path, clip.index).second) return;
  const auto [other, is_new] = path_of_.emplace(clip.id, path);
  if (!is_new) {
    throw_usage("CLIP_TWICE", path + ": clip '" + clip.id + "' is also a clip of " + other->second +
                                  "; choose one of them, or rename it");
  }
  clips_.push_back(std::move(clip));
}

}  // namespace skinbake::cli
