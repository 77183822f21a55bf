// Pairs nodes whose names do not tell them apart by their places in the hierarchies.

#pragma once

#include <vector>

#include "gltf/user_file/user_json.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

// The rig's partner of each node of the clip's file that does not have a name, or whose name
// several nodes have; -1: none. Shape [node of the clip's file].
//
// Partners have partners above them, or nothing, and are the k-th children of their name there.
// A name that only one node of each file has pairs wherever the nodes are. If one file has more
// nodes of a name than the other, as two characters have, a node above tells them apart, and nodes
// without a name do not pair. All nodes of the name in the file with fewer have partners, or none
// has. Nodes of the rig that only hold a skinned mesh do not count if the clip's file lacks them.
std::vector<NodeIndex> partners_by_place(const Skeleton& clip, const Asset& rig);

// [node] Whether it holds a skinned mesh, and is neither a joint nor above another node.
std::vector<char> mesh_holders(const Asset& rig);

}  // namespace skinbake::gltf
