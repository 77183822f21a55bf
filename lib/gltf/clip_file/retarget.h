// The motion of a humanoid from the file of a clip to a rig with other proportions, another rest
// pose or other joint axes.

#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <vector>

#include "humanoid/motion/face_player.h"
#include "humanoid/motion/human_motion.h"
#include "humanoid/pose/human_pose.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

class HumanoidRetarget {
 public:
  // Preconditions: both maps have bones, and the nodes are nodes of the skeletons. The arguments
  // need not outlive the object. Throws the errors of match_clip.
  HumanoidRetarget(const ClipFile& file, const HumanoidMap& from, const Asset& rig,
                   const HumanoidMap& to, const RetargetOptions& options);

  // The role of a node of the clip's file in its humanoid.
  enum class Role { kNone, kBone, kAboveBones };
  Role role(NodeIndex node) const { return roles_[static_cast<std::size_t>(node)]; }
  // Whether a bone of the rig follows the node.
  bool moves_rig(NodeIndex node) const { return moves_rig_[static_cast<std::size_t>(node)] != 0; }
  // Whether the node is the hips or a node above them, whose translations move the hips.
  bool moves_hips(NodeIndex node) const { return moves_hips_[static_cast<std::size_t>(node)] != 0; }

  // Whether the node of the rig carries bones that the motion turns: it has a bone below it.
  bool carries_bones(NodeIndex rig_node) const {
    return carries_bones_[static_cast<std::size_t>(rig_node)] != 0;
  }

  // Whether places of the hips are scaled by their heights. False if the hips of the clip or of the
  // rig are less than 1 cm above the ground, so that their heights do not tell the size of the
  // body.
  bool is_scaled() const { return is_scaled_; }

  // The motion of the rig's bones, except the nodes `left_alone`. `face` rotates the eyes; null:
  // they rotate as the clip's eyes.
  std::shared_ptr<const HumanMotion> motion(const Clip& clip, const std::set<NodeIndex>& left_alone,
                                            std::shared_ptr<const FacePlayer> face) const;

 private:
  std::shared_ptr<const Skeleton> from_skeleton_, to_skeleton_;
  std::shared_ptr<const TPosedSkeleton> from_, to_;  // shared by the motions
  RootMotion root_motion_;
  bool is_mirrored_;
  bool stands_;  // on its feet; between VRM files the hips alone count, as everywhere for VRM
  bool is_scaled_ = true;
  std::vector<Role> roles_;                   // [node of the clip's file]
  std::vector<char> moves_rig_, moves_hips_;  // [node of the clip's file]
  std::vector<char> carries_bones_;           // [node of the rig]
};

}  // namespace skinbake::gltf
