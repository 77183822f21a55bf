// The nodes of a clip's file and of a rig by their names and at rest, for the matches of all clips
// of the file.

#pragma once

#include <string>
#include <vector>

#include "gltf/clip_file/rest_poses.h"
#include "gltf/user_file/user_json.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

// Returns the name with the letters A to Z in lower case.
std::string folded(std::string name);

// The nodes that move the rig's vertices, ascending: joints with weights, or the node of a mesh
// without a skin. glTF ignores the transform of a skinned mesh's own node.
Nodes moving_nodes(const Rig& rig);

struct MatchIndex {
  // Of the rig. Nodes that only hold a skinned mesh are left out if other nodes have the name.
  NodesByName by_name, by_folded;
  NodesByName clip_nodes;                   // of the clip's file
  std::vector<Nodes> moving;                // [rig of the asset] as moving_nodes
  std::vector<NodeIndex> partner_by_place;  // as partners_by_place
  RestFrames clip_rest, rig_rest;

  // The skeletons must outlive the object.
  MatchIndex(const ClipFile& file, const Asset& rig);
};

}  // namespace skinbake::gltf
