// A humanoid map while it is made, and its detection by names and by the shape of the hierarchy.

#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "humanoid/human_bones.h"
#include "humanoid/map/name_tables.h"
#include "humanoid/map/node_names.h"
#include "humanoid/node_tree.h"
#include "skinbake/clip.h"

namespace skinbake {

// ---- A humanoid map while it is made: bones of the human skeleton with their nodes.

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
  // Whether a node is free, and its nearest mapped ancestor is the node of the bone's parent or of
  // another given parent.
  bool fits(std::string_view bone, NodeIndex node, std::string_view other_parent) const;

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

// ---- The humanoid map by the names of nodes.

// The required bones of which no node has a name. The spine, which has many names, does not count.
std::vector<std::string_view> unnamed_bones(const NodeNames& names, const NameTable& table);

// The bones that a table finds, in the order of kHumanBones. The nearest mapped ancestor of each
// bone's node is the node of its parent bone, or of the bone that the tool's own layout has there.
// Empty if the table does not find the hips.
//
// The nodes between hips and head that the table counts as the spine become `spine` (the first),
// `chest` (the second) and `upperChest` (the last, of three and more), as far as both arms are
// below them.
std::vector<HumanoidBone> map_by_names(const NodeTree& tree, const NodeNames& names,
                                       const NameTable& table);

// ---- The humanoid map by the shape of the hierarchy, for rigs whose names no table knows.

// Finds a body that stands upright (+Y is up): a pair of legs that go down from the hips, a spine
// that goes up from them, a pair of arms and a head at its end. The members of a pair mirror each
// other. Left is found from the feet, whose toes point forward; without toes the body faces +Z, as
// glTF 2.0 asks for.
//
// Returns all required bones, in the order of kHumanBones, or nothing: a guess is worse than none.
// Fingers are not mapped.
struct StructureSearch {
  std::vector<HumanoidBone> bones;
  std::string why_not = {};  // of no bones: what was not found
};
StructureSearch map_by_structure(const NodeTree& tree);

// ---- The search by names, and then by structure.

struct HumanoidSearch {
  HumanoidMap map;           // with all required bones, or empty
  std::string why_not = {};  // of an empty map: what the nearest table lacks
};
HumanoidSearch search_humanoid(const Skeleton& skeleton);

// find_humanoid(skeleton) for a body of a file. Adds HUMANOID_UNKNOWN to the issues if it is not
// mapped, and has as many joints as a human body needs.
HumanoidMap find_humanoid(const Skeleton& skeleton, std::size_t joints, const std::string& file,
                          Issues& issues);

}  // namespace skinbake
