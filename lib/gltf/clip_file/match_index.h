// The nodes of a clip's file and of a rig by their names and at rest, for the matches of all clips
// of the file.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "gltf/clip_file/rest_poses.h"
#include "gltf/user_file/user_json.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

// Returns the name with the letters A to Z in lower case.
std::string folded(std::string name);

struct MatchIndex {
  NodesByName by_name, by_folded;  // of the rig
  NodesByName clip_nodes;          // of the clip's file
  // The rig's mesh nodes, joints, and all nodes above them.
  std::set<NodeIndex> of_meshes;
  std::vector<NodeIndex> partner_by_place;  // as partners_by_place
  RestFrames clip_rest, rig_rest;

  // The skeletons must outlive the object.
  MatchIndex(const ClipFile& file, const Asset& rig);
};

}  // namespace skinbake::gltf
