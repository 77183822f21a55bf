// Twist joints: a bone's weight is shared by helper joints along it.
//
//     s_i = i / (n + 1)             i = 0 … n + 1: nodes from the joint (0) to its bone's tip (1)
//     x   = (v - c) . a / L         axial coordinate of a vertex, held within 0 … 1
//     w_i = w hat_i(x)              hat_i: 1 at s_i, 0 at its neighbours, linear between
//
//     child (forearm)    M_i = M_joint Rot(a, s_i phi)           phi: child against joint
//     self (upper arm)   M_i = M_joint Rot(a, -(1 - s_i) phi)    phi: joint against parent
//
// with c the joint's place in the bind pose, a its bone's direction and L its length. Node 0 of
// `child` is the joint itself; `self` takes all weight from the joint, whose twist is complete at
// the tip alone. The rule is ours, after riggers' practice.

#pragma once

#include <string>

#include "rig/file_bones.h"
#include "skinbake/modifiers.h"
#include "skinbake/rig.h"

namespace skinbake {

// Whether it is, or shares, a twist that was split before.
bool is_twist_shared(const Rig& rig, JointIndex joint);

// Why the twist of the joint, whose bone is given, cannot be shared; or nothing.
std::string obstacle_to_twist(const Rig& rig, JointIndex joint, ShareTwist::From from,
                              const std::optional<FileBone>& bone);

// The rig with its helpers, which are its last joints; before them, if the rig has it not, the
// joint at the bone's other end. There must be no obstacle.
Rig with_twist_joints(const Rig& rig, JointIndex joint, const ShareTwist& twist,
                      const FileBone& bone);

}  // namespace skinbake
