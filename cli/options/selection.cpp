#include "options/selection.h"

#include <algorithm>
#include <optional>

#include "options/numbers.h"
#include "options/usage_error.h"
#include "skinbake/tool/nearest_word.h"
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
  std::vector<std::string> ids;
  for (const Clip& clip : clips) ids.push_back(clip.id);
  throw_usage("CLIP_UNKNOWN", path + ": no clip '" + wanted + "'; there are: " + ids_of(clips) +
                                  did_you_mean(wanted, ids));
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
      std::vector<std::string> ids;
      for (const Rig& rig : asset.rigs) ids.push_back(rig.id);
      throw_usage("MESH_UNKNOWN", asset.path + ": no mesh node '" + id + "'; there are: " +
                                      list_of(ids, [](const std::string& known) { return known; }) +
                                      did_you_mean(id, ids));
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

}  // namespace skinbake::cli
