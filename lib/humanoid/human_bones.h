// The human skeleton: the bones of VRM 1.0 (VRM Consortium, VRMC_vrm-1.0, "Humanoid", 2022).

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace skinbake {

struct HumanBone {
  std::string_view name;    // "leftUpperArm"
  std::string_view parent;  // empty for the hips
  bool is_required = false;
};

// Parents come before children.
inline constexpr std::array<HumanBone, 55> kHumanBones{{
    {"hips", "", true},
    {"spine", "hips", true},
    {"chest", "spine"},
    {"upperChest", "chest"},
    {"neck", "upperChest"},
    {"head", "neck", true},
    {"leftEye", "head"},
    {"rightEye", "head"},
    {"jaw", "head"},
    {"leftUpperLeg", "hips", true},
    {"leftLowerLeg", "leftUpperLeg", true},
    {"leftFoot", "leftLowerLeg", true},
    {"leftToes", "leftFoot"},
    {"rightUpperLeg", "hips", true},
    {"rightLowerLeg", "rightUpperLeg", true},
    {"rightFoot", "rightLowerLeg", true},
    {"rightToes", "rightFoot"},
    {"leftShoulder", "upperChest"},
    {"leftUpperArm", "leftShoulder", true},
    {"leftLowerArm", "leftUpperArm", true},
    {"leftHand", "leftLowerArm", true},
    {"rightShoulder", "upperChest"},
    {"rightUpperArm", "rightShoulder", true},
    {"rightLowerArm", "rightUpperArm", true},
    {"rightHand", "rightLowerArm", true},
    {"leftThumbMetacarpal", "leftHand"},
    {"leftThumbProximal", "leftThumbMetacarpal"},
    {"leftThumbDistal", "leftThumbProximal"},
    {"leftIndexProximal", "leftHand"},
    {"leftIndexIntermediate", "leftIndexProximal"},
    {"leftIndexDistal", "leftIndexIntermediate"},
    {"leftMiddleProximal", "leftHand"},
    {"leftMiddleIntermediate", "leftMiddleProximal"},
    {"leftMiddleDistal", "leftMiddleIntermediate"},
    {"leftRingProximal", "leftHand"},
    {"leftRingIntermediate", "leftRingProximal"},
    {"leftRingDistal", "leftRingIntermediate"},
    {"leftLittleProximal", "leftHand"},
    {"leftLittleIntermediate", "leftLittleProximal"},
    {"leftLittleDistal", "leftLittleIntermediate"},
    {"rightThumbMetacarpal", "rightHand"},
    {"rightThumbProximal", "rightThumbMetacarpal"},
    {"rightThumbDistal", "rightThumbProximal"},
    {"rightIndexProximal", "rightHand"},
    {"rightIndexIntermediate", "rightIndexProximal"},
    {"rightIndexDistal", "rightIndexIntermediate"},
    {"rightMiddleProximal", "rightHand"},
    {"rightMiddleIntermediate", "rightMiddleProximal"},
    {"rightMiddleDistal", "rightMiddleIntermediate"},
    {"rightRingProximal", "rightHand"},
    {"rightRingIntermediate", "rightRingProximal"},
    {"rightRingDistal", "rightRingIntermediate"},
    {"rightLittleProximal", "rightHand"},
    {"rightLittleIntermediate", "rightLittleProximal"},
    {"rightLittleDistal", "rightLittleIntermediate"},
}};

inline constexpr std::size_t kRequiredBones =
    static_cast<std::size_t>(std::count_if(kHumanBones.begin(), kHumanBones.end(),
                                           [](const HumanBone& bone) { return bone.is_required; }));

// Returns null if the human skeleton does not have the bone.
constexpr const HumanBone* human_bone(std::string_view name) {
  for (const HumanBone& bone : kHumanBones) {
    if (bone.name == name) return &bone;
  }
  return nullptr;
}

enum class BodySide { kMiddle, kLeft, kRight };

struct SidedBone {
  BodySide side;
  std::string_view bone;  // without its side: "UpperArm"; "hips" for a bone of the middle
};

constexpr SidedBone without_side(std::string_view bone) {
  if (bone.starts_with("left")) return {BodySide::kLeft, bone.substr(4)};
  if (bone.starts_with("right")) return {BodySide::kRight, bone.substr(5)};
  return {BodySide::kMiddle, bone};
}

}  // namespace skinbake
