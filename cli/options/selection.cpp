#include "options/selection.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include "options/numbers.h"
#include "options/usage_error.h"
#include "skinbake/clip_file.h"
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

}  // namespace

std::vector<const Clip*> select_clips(const std::vector<Clip>& clips, const std::string& path,
                                      const std::string& wanted) {
  if (wanted.empty() && clips.empty()) return {nullptr};
  if (wanted.empty() && clips.size() == 1) return {&clips.front()};
  if (wanted.empty()) {
    throw_usage("CLIP_AMBIGUOUS",
                path + ": several clips; choose with --clip: 'all', " + ids_of(clips));
  }
  for (const Clip& clip : clips) {
    if (clip.id == wanted) return {&clip};
  }
  if (wanted == "all" && !clips.empty()) {
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

bool has_file_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  static constexpr std::array kExtensions{".gltf", ".glb", ".vrm", ".vrma"};
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

struct FileClip {
  std::string path;  // empty: --clip does not name a file
  std::string id;    // empty: the only clip
};

// Splits FILE[#ID] at the first '#' that follows a file extension: an id may contain '#' too.
FileClip split(const std::string& wanted) {
  for (std::size_t at = wanted.find('#'); at != std::string::npos; at = wanted.find('#', at + 1)) {
    const std::string path = wanted.substr(0, at);
    if (has_file_extension(path)) return {path, wanted.substr(at + 1)};
  }
  return has_file_extension(wanted) ? FileClip{wanted, ""} : FileClip{};
}

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

}  // namespace

std::string use_clip_file(const ClipSource& source, const LoadOptions& load, Asset& asset) {
  const bool is_of_the_rig = std::any_of(asset.clips.begin(), asset.clips.end(),
                                         [&](const Clip& clip) { return clip.id == source.clip; });
  const FileClip wanted = is_of_the_rig ? FileClip{} : split(source.clip);
  if (wanted.path.empty()) {
    if (source.map.empty()) return source.clip;
    throw Error(
        ErrorKind::kUsage, "MAP_WITHOUT_CLIP_FILE",
        "--map pairs node names of two files; name the file of the clip with --clip FILE[#ID]");
  }
  ClipFile file = load_clip_file(wanted.path, load);
  if (file.clips.empty()) {
    throw Error(ErrorKind::kUsage, "CLIP_UNKNOWN",
                wanted.path + ": the file does not have a clip; name a file with an animation");
  }
  NameMap names;
  if (!source.map.empty()) names = load_name_map(source.map);
  std::vector<Clip> matched;
  const std::vector<const Clip*> clips = select_clips(file.clips, file.path, wanted.id);
  bool moves_meshes = false;
  for (const Clip* clip : clips) {
    MatchedClip result = match_clip(file, *clip, asset, names);
    moves_meshes = moves_meshes || result.moves_meshes;
    append(std::move(result.issues), asset.issues);
    matched.push_back(std::move(result.clip));
  }
  if (!moves_meshes) fail_without_motion(file, *clips.front(), asset);
  asset.clips = std::move(matched);
  append(std::move(file.issues), asset.issues);
  asset.issues = sorted_unique(std::move(asset.issues));
  append(std::move(file.inputs), asset.inputs);
  append(std::move(names.inputs), asset.inputs);
  append(std::move(file.files), asset.files);
  if (!names.path.empty()) asset.files.push_back(names.path);
  return "all";
}

}  // namespace skinbake::cli
