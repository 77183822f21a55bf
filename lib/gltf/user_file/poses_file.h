// Poses that a user writes, for any humanoid.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "humanoid/motion/pose_source.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

struct PosesFile {
  std::vector<NamedPose> poses;  // at least one
  InputFile input;               // role "parameters"
};

// Reads a list of poses:
//
//   [{"name": "wave", "hold_s": 1, "hips": [x, y, z],
//     "bones": {"leftUpperArm": {"rotation": [x, y, z, w]}, "head": {"degrees": [x, y, z]}},
//     "muscles": {"leftForearmTwist": 0.5}}]
//
// All members are optional. Rotations are relative to the bone above in the T-pose, about the axes
// of the character: x to its left, y up, z forward; quaternions may have any length, and degrees
// are applied in the order z, x, y. Muscles are from -1 to 1, the ends of their ranges. hips is as
// in HumanPose. Throws Error (kInput): FILE_UNREADABLE, POSES_INVALID.
PosesFile load_poses_file(const std::string& path, const MuscleRanges& ranges);

}  // namespace skinbake::gltf
