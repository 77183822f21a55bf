// The humanoid map by the names of nodes.

#pragma once

#include <map>
#include <vector>

#include "humanoid/map/name_tables.h"
#include "humanoid/node_tree.h"

namespace skinbake {

// What the names of all nodes say. A prefix of an exporter ("mixamorig:", "DEF-"), and the first
// two words that more than half of the nodes share, are not a part of a name.
struct NodeNames {
  NodeNames(const Skeleton& skeleton, LeadingZeros zeros);

  std::vector<BoneWords> words;                       // [node]
  std::map<BoneWords, std::vector<NodeIndex>> nodes;  // ascending
};

// The bones that a table finds, in the order of kHumanBones. The nearest mapped ancestor of each
// bone's node is the node of its parent bone. Empty if the table does not find the hips.
//
// The nodes between hips and head that the table counts as the spine become `spine` (the first),
// `chest` (the second) and `upperChest` (the last, of three and more), as far as both arms are
// below them.
std::vector<HumanoidBone> map_by_names(const NodeTree& tree, const NodeNames& names,
                                       const NameTable& table);

}  // namespace skinbake
