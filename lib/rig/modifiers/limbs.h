// Finds the arms and legs of a humanoid by the humanoid map of the file or by joint names.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

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

}  // namespace skinbake
