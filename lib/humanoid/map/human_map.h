// A humanoid map while it is made: bones of the human skeleton with their nodes.

#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "humanoid/human_bones.h"
#include "humanoid/node_tree.h"

namespace skinbake {

class HumanMap {
 public:
  // Without bones. The tree must outlive the map.
  explicit HumanMap(const NodeTree& tree) : tree_(tree) { nodes_.fill(-1); }
  // Bones that the human skeleton does not have are left out.
  HumanMap(const NodeTree& tree, std::span<const HumanoidBone> bones);

  void set(std::string_view bone, NodeIndex node) { nodes_[index_of(bone)] = node; }
  // Sets spine, chest and upperChest to the first, the second and the last node of a chain.
  void set_spine(std::span<const NodeIndex> chain);

  // -1: the bone is not mapped.
  NodeIndex node(std::string_view bone) const { return nodes_[index_of(bone)]; }
  // The nearest ancestor in the human skeleton that is mapped; empty: none.
  std::string_view parent_of(std::string_view bone) const;
  // The bone of the nearest mapped ancestor of a node; empty: none.
  std::string_view bone_above(NodeIndex node) const;
  // Whether a node is free, and its nearest mapped ancestor is the node of the bone's parent.
  bool fits(std::string_view bone, NodeIndex node) const;

  // Whether all required bones are mapped.
  bool is_complete() const;
  // In the order of kHumanBones.
  std::vector<HumanoidBone> bones() const;

 private:
  static std::size_t index_of(std::string_view bone) {
    return static_cast<std::size_t>(human_bone(bone) - kHumanBones.data());
  }

  const NodeTree& tree_;
  std::array<NodeIndex, kHumanBones.size()> nodes_;
};

}  // namespace skinbake
