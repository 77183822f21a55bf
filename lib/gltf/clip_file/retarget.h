// Clips for humanoids: the motion of a bone from one skeleton to another (VRMC_vrm_animation 1.0,
// "How to transform between different rest poses").
//
//     q' = P'^-1 Y P q W^-1 Y^-1 W'     q  local rotation of the clip's node, q' of the rig's
//     t' = P'^-1 (h'/h Y (P t))         t  translation of the hips
//
// P and W are the rotations, in the scene at rest, of the node's parent and of the node itself; for
// t, P is the parent's whole transform. Primed symbols belong to the rig. Both skeletons stand in a
// T-pose. h is the height of the hips; h'/h is 1 if one of the heights is less than 1 cm. Y is a
// half turn if the skeletons face opposite directions, as those of VRM 0.x and 1.0 do, and
// otherwise the identity. Both maps are linear in the keys, so they commute with every
// interpolation.

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
  // Matches bones only if both files have a humanoid map. Both arguments must outlive the object.
  HumanoidRetarget(const ClipFile& file, const Asset& rig);

  // Whether both files have a humanoid map.
  bool is_active() const { return !target_.empty(); }

  // Returns the rig's node for the bone of the clip's node, -1 if the rig does not have the bone,
  // or nothing if the clip's node is not a bone.
  std::optional<NodeIndex> target(NodeIndex clip_node) const;

  // Returns the channel for the rig's node, or nothing if humanoid clips do not move the property.
  // Throws Error (kInput, MEMORY_LIMIT) if the keys of all channels exceed file.memory_left.
  std::optional<Channel> retargeted(const Channel& channel, NodeIndex target);

  // Whether translations of the hips are scaled by h'/h. False if the hips of the clip or of the
  // rig are not above the ground, so that their heights do not indicate the size of the body.
  bool is_scaled() const { return is_scaled_; }

 private:
  const ClipFile& file_;
  const Asset& rig_;
  std::map<NodeIndex, NodeIndex> target_;  // by the clip's node
  NodeIndex hips_ = -1;                    // of the clip
  double height_ratio_ = 1;                // h'/h: the rig's over the clip's
  bool is_scaled_ = true;
  bool is_turned_ = false;
  std::uint64_t bytes_ = 0;  // of converted keys
};

}  // namespace skinbake::gltf
