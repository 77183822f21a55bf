// Matches the channels of a VRM animation with the face of a rig.

#pragma once

#include <cstdint>
#include <memory>
#include <set>

#include "humanoid/motion/face_player.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

struct MatchedFace {
  std::shared_ptr<const FacePlayer> player;  // null: the clip does not drive the face
  std::set<NodeIndex> drivers;               // nodes of the clip's file that drive it
  Issues issues;
};

// Look-at needs bones of the eyes in `bones`, the map of the rig, if it rotates them. Mirrored,
// left and right are exchanged. The players of several clips share the rig's face, which is made
// when `shared` is null.
MatchedFace match_face(const ClipFile& file, const Clip& clip, const Asset& rig,
                       const HumanoidMap& bones, bool is_mirrored,
                       std::shared_ptr<const PlayableFace>& shared);

}  // namespace skinbake::gltf
