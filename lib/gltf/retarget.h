// Clips for humanoids: the motion of a bone from one skeleton to another (VRMC_vrm_animation 1.0,
// "How to transform between different rest poses").
//
//     q' = P'^-1 Y P q W^-1 Y^-1 W'     q  local rotation of the clip's node, q' of the rig's
//     t' = P'^-1 (h'/h Y (P t))         t  translation of the hips
//
// P and W are the rotations of the parent and of the node itself in the scene at rest (for t the
// parent's whole transform), primed in the rig; both skeletons stand in a T-pose. h is the height
// of the hips; where one is not clearly positive, h'/h is 1. Y turns half round where the two face
// opposite ways, as VRM 0.x and 1.0 do. Both maps are linear in the keys, so that every
// interpolation goes through them.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "skinbake/clip_file.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

class HumanoidRetarget {
 public:
  // Knows no bone unless both files have a map of bones. Both must outlive the object.
  HumanoidRetarget(const ClipFile& file, const Asset& rig);

  // The rig's node for the bone that a node of the clip plays, -1 if the rig has no such bone.
  // Nothing: the node plays none.
  std::optional<NodeIndex> target(NodeIndex clip_node) const;

  // The channel for the rig's node; nothing if humanoid clips do not move such a property.
  // Throws Error (kInput, MEMORY_LIMIT) if all of them together become too large.
  std::optional<Channel> retargeted(const Channel& channel, NodeIndex target);

  // False: the hips of one of the two are not above the ground, so their heights say nothing, and
  // what moves the clip's hips keeps its size.
  bool is_scaled() const { return is_scaled_; }

 private:
  const ClipFile& file_;
  const Asset& rig_;
  std::map<NodeIndex, NodeIndex> target_;  // by the clip's node
  NodeIndex hips_ = -1;                    // of the clip
  double height_ratio_ = 1;                // of the rig's hips over the clip's
  bool is_scaled_ = true;
  bool is_turned_ = false;
  std::uint64_t bytes_ = 0;  // of keys that were made
};

}  // namespace skinbake::gltf
