#include "humanoid/map/human_map.h"

#include <algorithm>
#include <string>

namespace skinbake {

HumanMap::HumanMap(const NodeTree& tree, std::span<const HumanoidBone> bones) : HumanMap(tree) {
  for (const HumanoidBone& entry : bones) {
    if (human_bone(entry.bone) != nullptr) set(entry.bone, entry.node);
  }
}

void HumanMap::set_spine(std::span<const NodeIndex> chain) {
  if (!chain.empty()) set("spine", chain.front());
  if (chain.size() > 1) set("chest", chain[1]);
  if (chain.size() > 2) set("upperChest", chain.back());
}

std::string_view HumanMap::parent_of(std::string_view bone) const {
  std::string_view above = human_bone(bone)->parent;
  while (!above.empty() && node(above) < 0) above = human_bone(above)->parent;
  return above;
}

std::string_view HumanMap::bone_above(NodeIndex node) const {
  std::string_view nearest;
  NodeIndex nearest_node = -1;
  for (std::size_t b = 0; b < nodes_.size(); ++b) {
    if (nodes_[b] < 0 || !tree_.is_below(node, nodes_[b])) continue;
    if (nearest_node >= 0 && !tree_.is_below(nodes_[b], nearest_node)) continue;
    nearest = kHumanBones[b].name;
    nearest_node = nodes_[b];
  }
  return nearest;
}

bool HumanMap::fits(std::string_view bone, NodeIndex node) const {
  const bool is_free = std::find(nodes_.begin(), nodes_.end(), node) == nodes_.end();
  return is_free && bone_above(node) == parent_of(bone);
}

bool HumanMap::is_complete() const {
  for (std::size_t b = 0; b < nodes_.size(); ++b) {
    if (kHumanBones[b].is_required && nodes_[b] < 0) return false;
  }
  return true;
}

std::vector<HumanoidBone> HumanMap::bones() const {
  std::vector<HumanoidBone> bones;
  for (std::size_t b = 0; b < nodes_.size(); ++b) {
    if (nodes_[b] >= 0) bones.push_back({std::string(kHumanBones[b].name), nodes_[b]});
  }
  return bones;
}

}  // namespace skinbake
