// Nodes by the names that users write.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake::gltf {

using Nodes = std::vector<NodeIndex>;
using NodesByName = std::map<std::string, Nodes>;

// Nodes without a name are left out.
NodesByName nodes_by_name(const std::vector<Node>& nodes);

// The nodes of a name in ascending order, or else the node of the index in "#7"; empty: none.
Nodes named_nodes(const Skeleton& skeleton, const NodesByName& by_name, const std::string& name);

}  // namespace skinbake::gltf
