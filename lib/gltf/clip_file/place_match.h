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
// A name that only one node of each file has pairs wherever the nodes are. All nodes of a name have
// partners, or none has: both files must have as many, in the same places. Nodes of the rig that
// only hold a skinned mesh do not count if the clip's file lacks them.
std::vector<NodeIndex> partners_by_place(const Skeleton& clip, const Asset& rig);

}  // namespace skinbake::gltf
