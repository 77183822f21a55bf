// The humanoid map of a skeleton that does not bring one.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "humanoid/map/human_map.h"
#include "skinbake/clip.h"

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

HumanoidMap find_humanoid(const Skeleton& skeleton) {
  const NodeTree tree(skeleton);
  const std::array<NodeNames, 2> names{NodeNames(skeleton, LeadingZeros::kKept),
                                       NodeNames(skeleton, LeadingZeros::kDropped)};
  HumanoidMap best;
  for (const NameTable& table : name_tables()) {
    const NodeNames& spelling = names[table.zeros == LeadingZeros::kKept ? 0 : 1];
    std::vector<HumanoidBone> bones = map_by_names(tree, spelling, table);
    if (bones.size() <= best.bones.size() || !HumanMap(tree, bones).is_complete()) continue;
    best = {"names:" + std::string(table.name), std::move(bones)};
  }
  if (best.bones.empty()) best = {"structure", map_by_structure(tree)};
  if (best.bones.empty()) return {};
  std::sort(best.bones.begin(), best.bones.end(),
            [](const HumanoidBone& a, const HumanoidBone& b) { return a.bone < b.bone; });
  return best;
}

HumanoidMap required_humanoid(const HumanoidMap& given, const Skeleton& skeleton,
                              const std::string& file) {
  HumanoidMap map = given.bones.empty() ? find_humanoid(skeleton) : given;
  if (!map.bones.empty()) return map;
  throw Error("HUMANOID_UNKNOWN",
              "the names and the structure of the nodes do not tell which of them are the bones of "
              "a human body",
              {file, "/nodes"});
}

}  // namespace skinbake
