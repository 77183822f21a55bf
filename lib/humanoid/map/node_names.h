// What the names of all nodes of a skeleton say of its bones.

#pragma once

#include <map>
#include <vector>

#include "humanoid/map/name_tables.h"
#include "humanoid/node_tree.h"

namespace skinbake {

// Not a part of a name are: namespaces ("Hero:Rig:"), a prefix of an exporter ("mixamorig:",
// "DEF-"), and the first words that more than half of the nodes share.
struct NodeNames {
  LeadingZeros zeros = LeadingZeros::kKept;
  std::vector<BoneWords> words;                       // [node]
  std::map<BoneWords, std::vector<NodeIndex>> nodes;  // ascending
  // [node] Whether a body of these names can begin at the node; empty: at every node.
  std::vector<char> can_be_hips;
};

// The names with and without leading zeros. The last two are left out unless at least half of the
// names below some node end with numbers that exporters append to make names unique ("_09",
// ".001", " 1"): they do not have these numbers. A number that tells bones of a chain apart
// ("spine_01", "spine_02") stays.
std::vector<NodeNames> spellings_of(const NodeTree& tree);

}  // namespace skinbake
