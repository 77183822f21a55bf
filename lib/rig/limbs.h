// Arms and legs of a humanoid, by the file's humanoid map or by the names of its joints.

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

// In the order left upper arm, left lower arm, left upper leg, left lower leg, then right. Bones of
// the map count before names; a name that several joints of a side have is not taken, nor is a
// lower part that does not hang below its upper part.
std::vector<Limb> find_limbs(const Rig& rig, std::span<const HumanoidBone> humanoid);

// "lowerarm_twist_01_l", "LeftForeArmRoll", "左手捩": a name that tells of a bone that shares a
// twist.
bool is_twist_name(std::string_view name);

}  // namespace skinbake
