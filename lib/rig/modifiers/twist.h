// Twist joints, and the limbs of a humanoid that get them.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rig/joint_tree.h"
#include "skinbake/rig.h"

namespace skinbake {

// ---- Finds the arms and legs of a humanoid by the humanoid map of the file or by joint names.

enum class LimbPart { kUpperArm, kLowerArm, kUpperLeg, kLowerLeg };

struct Limb {
  LimbPart part;
  JointIndex joint;
};

// Returns limbs in the order left upper arm, left lower arm, left upper leg, left lower leg, then
// the right ones. The map takes precedence over names. A name is ignored if several joints of one
// side have it; a lower part is ignored if it is not a descendant of its upper part.
std::vector<Limb> find_limbs(const Rig& rig, std::span<const HumanoidBone> humanoid);

// True for names of joints that share a twist: "lowerarm_twist_01_l", "LeftForeArmRoll", "左手捩".
bool is_twist_name(std::string_view name);

// ---- Twist joints: helper joints along a joint's segment share the weight of the joint.
//
//     s_i = i / (n + 1)             i = 0 … n + 1: nodes from the joint (0) to its tip (1)
//     x   = (v - c) . a / L         axial coordinate of a vertex, clamped to 0 … 1
//     w_i = w hat_i(x)              hat_i: 1 at s_i, 0 at its neighbours, linear between
//
//     child (forearm)    M_i = M_joint Rot(a, s_i phi)           phi: child relative to joint
//     self (upper arm)   M_i = M_joint Rot(a, -(1 - s_i) phi)    phi: joint relative to parent
//
// with c the start of the segment in the bind pose, a its direction and L its length. With `child`,
// node 0 is the joint itself. With `self`, all weight moves from the joint to helpers, because the
// joint's own twist is only correct at the tip. The rule is ours, after the practice of riggers.

// True if the joint is in a twist chain: its own weight is shared, or it is a helper.
bool is_twist_shared(const Rig& rig, JointIndex joint);

// Returns why the twist of a joint with this segment cannot be shared, or an empty string.
std::string obstacle_to_twist(const Rig& rig, JointIndex joint, ShareTwist::From from,
                              const std::optional<JointSegment>& segment);

// Returns the rig with helpers, which are its last joints. The joint at the other end of the twist
// is added before them if the rig does not have it.
// Precondition: obstacle_to_twist returns an empty string.
Rig with_twist_joints(const Rig& rig, JointIndex joint, const ShareTwist& twist,
                      const JointSegment& segment);

}  // namespace skinbake
