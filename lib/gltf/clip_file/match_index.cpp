#include "gltf/clip_file/match_index.h"

#include <algorithm>

#include "gltf/clip_file/place_match.h"

namespace skinbake::gltf {
namespace {

std::set<NodeIndex> nodes_of_meshes(const Asset& asset) {
  std::set<NodeIndex> found;
  const std::vector<Node>& nodes = asset.skeleton->nodes;
  const auto add = [&](NodeIndex node) {
    while (node >= 0 && found.insert(node).second) {
      node = nodes[static_cast<std::size_t>(node)].parent;
    }
  };
  for (const Rig& rig : asset.rigs) {
    add(rig.node);
    for (const Joint& joint : rig.joints) add(joint.node);
  }
  return found;
}

}  // namespace

std::string folded(std::string name) {
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

MatchIndex::MatchIndex(const ClipFile& file, const Asset& rig)
    : by_name(nodes_by_name(rig.skeleton->nodes)),
      clip_nodes(nodes_by_name(file.skeleton->nodes)),
      of_meshes(nodes_of_meshes(rig)),
      partner_by_place(partners_by_place(*file.skeleton, rig)),
      clip_rest(*file.skeleton),
      rig_rest(*rig.skeleton) {
  for (const auto& [name, nodes] : by_name) {
    Nodes& alike = by_folded[folded(name)];
    alike.insert(alike.end(), nodes.begin(), nodes.end());
  }
  for (auto& [name, nodes] : by_folded) std::sort(nodes.begin(), nodes.end());
}

}  // namespace skinbake::gltf
