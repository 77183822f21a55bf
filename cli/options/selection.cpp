#include "options/selection.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "options/file_kinds.h"
#include "options/numbers.h"
#include "options/usage_error.h"
#include "outputs/output_paths.h"
#include "skinbake/clip_file.h"
#include "skinbake/human_clips.h"
#include "skinbake/tool/rig_file.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

template <class Elements, class IdOf>
std::string list_of(const Elements& elements, const IdOf& id_of) {
  constexpr std::size_t kShown = 20;
  std::string text;
  std::size_t shown = 0;
  for (const auto& element : elements) {
    if (shown == kShown) return text + fmt::format(", … ({} in all)", elements.size());
    text += (shown++ == 0 ? "'" : ", '") + std::string(id_of(element)) + "'";
  }
  return text.empty() ? "none" : text;
}

std::optional<std::int64_t> index_of(const std::string& wanted) {
  return wanted.starts_with('#') ? whole_number(std::string_view(wanted).substr(1)) : std::nullopt;
}

std::string ids_of(const std::vector<Clip>& clips) {
  return list_of(clips, [](const Clip& c) { return c.id; });
}

// Throws if several mesh nodes have the name: then it is not the id of any of them.
void require_unambiguous(const Asset& asset, const std::string& name) {
  std::vector<std::string> ids;
  for (const Rig& rig : asset.rigs) {
    const Node& node = rig.skeleton->nodes[static_cast<std::size_t>(rig.node)];
    if (node.name == name) ids.push_back(rig.id);
  }
  if (ids.empty()) return;
  throw_usage(
      "MESH_AMBIGUOUS",
      fmt::format("{}: {} mesh nodes have the name '{}'; choose one of {}", asset.path, ids.size(),
                  name, list_of(ids, [](const std::string& id) { return id; })));
}

// The remedy if the scene does not have a mesh.
std::string remedy_without_mesh(const Asset& asset) {
  for (std::size_t s = 0; s < asset.scenes.size(); ++s) {
    if (asset.scenes[s].mesh_nodes == 0 || asset.scenes[s].is_read) continue;
    return fmt::format("choose a scene that has a mesh, with --scene {}", s);
  }
  const auto has = [&](std::string_view code) {
    return std::any_of(asset.issues.begin(), asset.issues.end(),
                       [&](const Issue& issue) { return issue.code == code; });
  };
  if (has("PRIMITIVE_EMPTY")) return "export its meshes with their positions";
  if (has("MESHES_NOT_IN_SCENE") || has("MESH_UNUSED")) {
    return "put its meshes into the scene and export it again";
  }
  return asset.clips.empty() ? "export it with a mesh"
                             : "apply its clips to a rig with bake RIG --clip FILE";
}

// The clips of one value of --clip; empty: the only clip.
std::vector<const Clip*> clips_of(const std::vector<Clip>& clips, const std::string& path,
                                  const std::string& wanted) {
  if (clips.empty() && (wanted.empty() || wanted == "all")) return {nullptr};
  if (wanted.empty() && clips.size() == 1) return {&clips.front()};
  if (wanted.empty()) {
    throw_usage("CLIP_AMBIGUOUS",
                path + ": several clips; choose with --clip: 'all', " + ids_of(clips));
  }
  for (const Clip& clip : clips) {
    if (clip.id == wanted) return {&clip};
  }
  if (wanted == "all") {
    std::vector<const Clip*> all;
    for (const Clip& clip : clips) all.push_back(&clip);
    return all;
  }
  const auto index = index_of(wanted);
  if (index && *index < static_cast<std::int64_t>(clips.size())) {
    return {&clips[static_cast<std::size_t>(*index)]};
  }
  throw_usage("CLIP_UNKNOWN", path + ": no clip '" + wanted + "'; there are: " + ids_of(clips));
}

}  // namespace

std::vector<const Clip*> select_clips(const std::vector<Clip>& clips, const std::string& path,
                                      const std::vector<std::string>& wanted) {
  if (wanted.empty()) return clips_of(clips, path, "");
  std::vector<const Clip*> chosen;
  for (const std::string& one : wanted) {
    for (const Clip* clip : clips_of(clips, path, one)) {
      if (std::find(chosen.begin(), chosen.end(), clip) == chosen.end()) chosen.push_back(clip);
    }
  }
  return chosen;
}

std::size_t most_mesh_nodes(const Asset& asset) {
  constexpr std::size_t kMostProducts = 3'000'000'000;  // half a minute
  return kMostProducts / std::max<std::size_t>(1, asset.skeleton->nodes.size());
}

std::vector<const Rig*> select_meshes(const Asset& asset, const std::vector<std::string>& wanted) {
  std::vector<bool> chosen(asset.rigs.size(), wanted.empty());
  for (const std::string& id : wanted) {
    const auto node = index_of(id);
    auto found = std::find_if(asset.rigs.begin(), asset.rigs.end(),
                              [&](const Rig& rig) { return rig.id == id; });
    if (found == asset.rigs.end() && node) {
      found = std::find_if(asset.rigs.begin(), asset.rigs.end(),
                           [&](const Rig& rig) { return rig.node == *node; });
    }
    if (found == asset.rigs.end()) require_unambiguous(asset, id);
    if (found == asset.rigs.end()) {
      throw_usage("MESH_UNKNOWN", asset.path + ": no mesh node '" + id + "'; there are: " +
                                      list_of(asset.rigs, [](const Rig& rig) { return rig.id; }));
    }
    chosen[static_cast<std::size_t>(found - asset.rigs.begin())] = true;
  }
  std::vector<const Rig*> rigs;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) rigs.push_back(&asset.rigs[i]);
  }
  if (rigs.empty()) {
    throw Error(ErrorKind::kInput, "NOTHING_TO_BAKE",
                "the scene does not have a mesh, so that there is nothing to bake; " +
                    remedy_without_mesh(asset),
                {asset.path, "/scenes"});
  }
  return rigs;
}

namespace {

constexpr std::string_view kRom = "rom", kPoses = "poses:";

// Whether a value of --clip is made without an animation.
bool is_made(const std::string& wanted) {
  return wanted == kRom || wanted.starts_with("rom:") || wanted.starts_with(kPoses);
}

}  // namespace

// Splits at the first '#' that follows a file extension: an id may contain '#' too.
FileClip split_clip(const std::string& wanted) {
  for (std::size_t at = wanted.find('#'); at != std::string::npos; at = wanted.find('#', at + 1)) {
    const std::string path = wanted.substr(0, at);
    if (is_animation_file(path)) return {path, wanted.substr(at + 1)};
  }
  return is_animation_file(wanted) ? FileClip{wanted, ""} : FileClip{};
}

namespace {

// The names of a skeleton's first nodes, for a message.
std::string some_names(const Skeleton& skeleton) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  std::size_t named = 0;
  for (const Node& node : skeleton.nodes) {
    if (node.name.empty()) continue;
    if (named == kNamed) return text + ", …";
    text += (named++ == 0 ? "'" : ", '") + node.name + "'";
  }
  return text.empty() ? "without names" : text;
}

// Throws: a clip that moves nothing would be baked as many equal frames.
[[noreturn]] void fail_without_motion(const ClipFile& file, const Clip& clip, const Asset& asset) {
  throw Error(
      ErrorKind::kInput, "CLIP_MOVES_NOTHING",
      fmt::format("none of the {} channels of clip '{}' moves a mesh of the rig '{}'; pair the "
                  "clip's nodes ({}) with the rig's ({}) by --map, or export the clip for this rig",
                  clip.channels.size(), clip.id, asset.path, some_names(*file.skeleton),
                  some_names(*asset.skeleton)),
      {file.path, fmt::format("/animations/{}", clip.index)});
}

template <class Elements>
void append(Elements from, Elements& to) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

// Collects the settings that moved the rig.
class UsedRetargeting {
 public:
  explicit UsedRetargeting(const ClipSource& source) : source_(source) {}

  // A clip of the rig that plays as it is.
  void keep() { is_uniform_ = false; }

  void add(RetargetMode mode) {
    is_uniform_ = is_uniform_ && (modes_.empty() || modes_.contains(mode));
    modes_.insert(mode);
  }

  void add_motion() {
    settings_.root_motion = source_.retarget.root_motion;
    settings_.mirror = source_.retarget.mirror;
  }

  void add_of_file(const MatchedClip& clip, const ClipFile& file) {
    const bool is_off = source_.retarget.mode == RetargetMode::kOff;
    add(clip.as_humanoids ? RetargetMode::kHumanoid
        : is_off          ? RetargetMode::kOff
                          : RetargetMode::kNames);
    if (!clip.as_humanoids) return;
    add_motion();
    clip_t_poses_.push_back(resolved(source_.retarget.clip_t_pose, file.humanoid));
  }

  void add_poses() { settings_.pose_fps = source_.fps; }
  void add_ranges(const std::string& file) { settings_.ranges = file; }
  void add_clip_humanoid(const std::string& file) { settings_.clip_humanoid = file; }

  // None: every clip plays as it is. `rig`: the map of the rig.
  std::optional<RetargetSettings> take(const HumanoidMap& rig) {
    if (modes_.empty()) return {};
    if (is_uniform_) settings_.mode = *modes_.begin();
    if (modes_.contains(RetargetMode::kHumanoid)) {
      settings_.t_pose = resolved(source_.retarget.t_pose, rig);
      if (!source_.humanoid.empty()) settings_.humanoid = shown(source_.humanoid);
    } else {
      settings_.clip_humanoid.clear();
    }
    const auto is_first = [&](const TPoseChoice& one) { return one == clip_t_poses_.front(); };
    const bool agree = std::all_of(clip_t_poses_.begin(), clip_t_poses_.end(), is_first);
    if (!clip_t_poses_.empty() && agree) settings_.clip_t_pose = clip_t_poses_.front();
    return settings_;
  }

 private:
  const ClipSource& source_;
  RetargetSettings settings_;
  std::set<RetargetMode> modes_;
  std::vector<TPoseChoice> clip_t_poses_;
  bool is_uniform_ = true;  // whether every clip moves the rig in the same way
};

// The clips that --clip selects, from the rig's file and others, in the order of the command line.
class ClipCollection {
 public:
  ClipCollection(const ClipSource& source, const LoadOptions& load, Asset& asset)
      : source_(source), load_(load), asset_(asset) {
    if (!source.map.empty()) names_ = load_name_map(source.map);
  }

  void add_own(const std::string& id) {
    const std::vector<const Clip*> clips = clips_of(asset_.clips, asset_.path, id);
    if (clips.front() == nullptr) {
      throw_usage("CLIP_UNKNOWN", asset_.path +
                                      ": the file does not have a clip; name a file with "
                                      "an animation");
    }
    if (!source_.retarget.needs_humanoid()) {
      for (const Clip* clip : clips) add(asset_.path, *clip);
      settings_.keep();
      return;
    }
    settings_.add(RetargetMode::kHumanoid);
    settings_.add_motion();
    ClipFile own;
    own.path = asset_.path;
    own.shown_as = shown(asset_.path);
    own.skeleton = asset_.skeleton;
    own.clips = asset_.clips;
    own.humanoid = asset_.humanoid;
    RetargetOptions options = source_.retarget;
    options.clip_t_pose = options.t_pose;
    for (const Clip* clip : clips) {
      MatchedClip result = match_clip(own, *clip, asset_, {}, options);
      append(std::move(result.issues), asset_.issues);
      add(asset_.path, std::move(result.clip));
    }
  }

  void add_of_file(const FileClip& wanted) {
    const ClipFile& file = file_at(wanted.path);
    const std::vector<const Clip*> clips = clips_of(file.clips, file.path, wanted.id);
    bool moves_meshes = false;
    for (const Clip* clip : clips) {
      MatchedClip result = match_clip(file, *clip, asset_, names_, source_.retarget);
      moves_meshes = moves_meshes || result.moves_meshes;
      append(std::move(result.issues), asset_.issues);
      settings_.add_of_file(result, file);
      used_.file_of[clip->id] = file.shown_as;
      add(file.path, std::move(result.clip));
    }
    if (!moves_meshes) fail_without_motion(file, *clips.front(), asset_);
  }

  void add_made(const std::string& text) {
    const HumanClipOptions options{source_.retarget.t_pose, ranges(), memory_left()};
    settings_.add(RetargetMode::kHumanoid);
    if (text.starts_with(kPoses)) {
      const std::string path = text.substr(kPoses.size());
      if (path.empty()) throw UsageError("--clip", "'poses:' does not name a file");
      PosesClip made = load_poses(path, asset_, source_.fps, options);
      asset_.inputs.push_back(made.input);
      asset_.files.push_back(path);
      used_.file_of[made.clip.id] = made.input.path;
      settings_.add_poses();
      add(path, std::move(made.clip));
    } else {
      const std::string part = text == kRom ? "" : text.substr(kRom.size() + 1);
      if (part.empty() && text != kRom) throw UsageError("--clip", "'rom:' does not name a part");
      add(text, range_of_motion(asset_, part, options));
    }
  }

  // Gives the asset the clips, and the issues and inputs of their files.
  UsedClips finish() {
    for (const Clip& clip : clips_) used_.ids.push_back(clip.id);
    used_.retarget = settings_.take(asset_.humanoid);
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

 private:
  // Reads the file of --ranges once.
  MuscleRanges ranges() {
    if (source_.ranges.empty() || !ranges_.empty()) return ranges_;
    MuscleRangesFile file = load_muscle_ranges(source_.ranges);
    asset_.inputs.push_back(file.input);
    asset_.files.push_back(source_.ranges);
    settings_.add_ranges(file.input.path);
    ranges_ = std::move(file.ranges);
    return ranges_;
  }

  std::uint64_t memory_left() const {
    if (!files_.empty()) return files_.back().memory_left;
    const std::uint64_t taken = memory_of(asset_);
    return load_.max_memory > taken ? load_.max_memory - taken : 0;
  }

  // Reads each file once.
  const ClipFile& file_at(const std::string& path) {
    for (const ClipFile& file : files_) {
      if (file.path == path) return file;
    }
    LoadOptions load = load_;
    load.memory_taken = load_.max_memory - memory_left();
    files_.push_back(load_clip_file(path, load));
    ClipFile& file = files_.back();
    if (file.clips.empty()) {
      throw_usage("CLIP_UNKNOWN",
                  path + ": the file does not have a clip; name a file with an animation");
    }
    if (!source_.clip_humanoid.empty()) {
      HumanoidFile map = load_humanoid_file(source_.clip_humanoid, *file.skeleton);
      file.humanoid = std::move(map.map);
      settings_.add_clip_humanoid(map.input.path);
      file.inputs.push_back(map.input);
      file.files.push_back(source_.clip_humanoid);
      append(humanoid_findings(*file.skeleton, file.humanoid, file.shown_as), file.issues);
    } else if (file.humanoid.bones.empty()) {
      file.humanoid = find_humanoid(*file.skeleton);  // once for all clips of the file
    }
    return file;
  }

  void add(const std::string& path, Clip clip) {
    if (!taken_.emplace(path, clip.index).second) return;
    const auto [other, is_new] = path_of_.emplace(clip.id, path);
    if (!is_new) {
      throw_usage("CLIP_TWICE", path + ": clip '" + clip.id + "' is also a clip of " +
                                    other->second + "; choose one of them, or rename it");
    }
    clips_.push_back(std::move(clip));
  }

  const ClipSource& source_;
  const LoadOptions& load_;
  Asset& asset_;
  NameMap names_;
  MuscleRanges ranges_;
  std::deque<ClipFile> files_;  // stay in place: `file_at` returns references
  std::vector<Clip> clips_;
  UsedClips used_;
  UsedRetargeting settings_{source_};
  std::set<std::pair<std::string, int>> taken_;  // path and index of each clip
  std::map<std::string, std::string> path_of_;   // by id
};

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

void take_humanoid(const std::string& path, Asset& asset) {
  HumanoidFile file = load_humanoid_file(path, *asset.skeleton);
  asset.humanoid = std::move(file.map);
  asset.inputs.push_back(file.input);
  asset.files.push_back(path);
  append(humanoid_findings(*asset.skeleton, asset.humanoid, shown(asset.path)), asset.issues);
}

// A value of --clip.
struct Wanted {
  enum class Kind { kOwn, kFile, kMade };
  Kind kind;
  std::string value;
};

std::vector<Wanted> wanted_clips(const ClipSource& source, const Asset& asset) {
  std::vector<Wanted> wanted;
  for (const std::string& value : source.clips) {
    const bool is_of_the_rig = std::any_of(asset.clips.begin(), asset.clips.end(),
                                           [&](const Clip& clip) { return clip.id == value; });
    const bool is_of_a_file = !split_clip(value).path.empty();
    wanted.push_back({is_of_the_rig    ? Wanted::Kind::kOwn
                      : is_made(value) ? Wanted::Kind::kMade
                      : is_of_a_file   ? Wanted::Kind::kFile
                                       : Wanted::Kind::kOwn,
                      value});
  }
  return wanted;
}

bool has_kind(const std::vector<Wanted>& clips, Wanted::Kind kind) {
  return std::any_of(clips.begin(), clips.end(),
                     [&](const Wanted& clip) { return clip.kind == kind; });
}

}  // namespace

bool keeps_own_clips(const ClipSource& source, const Asset& asset) {
  const std::vector<Wanted> clips = wanted_clips(source, asset);
  return !source.retarget.needs_humanoid() && !has_kind(clips, Wanted::Kind::kFile) &&
         !has_kind(clips, Wanted::Kind::kMade);
}

UsedClips use_clip_files(const ClipSource& source, const LoadOptions& load, Asset& asset) {
  require_consistent(source.retarget);
  if (!source.humanoid.empty()) take_humanoid(source.humanoid, asset);
  const std::vector<Wanted> wanted = wanted_clips(source, asset);
  const bool has_files = has_kind(wanted, Wanted::Kind::kFile);
  const bool has_made = has_kind(wanted, Wanted::Kind::kMade);
  if (!has_files) require_no_file_options(source);
  if (!has_made && !source.ranges.empty()) {
    throw UsageError("--ranges", "is for --clip rom and --clip poses:FILE");
  }
  if (!has_files && !has_made && !source.retarget.needs_humanoid()) {
    require_no_t_pose(source);
    return {source.clips, {}, {}};
  }
  split_matrices(asset);
  if (source.clips.empty()) {
    ClipCollection only(source, load, asset);
    only.add_own("");
    return only.finish();
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
    }
  }
  return collection.finish();
}

}  // namespace skinbake::cli
