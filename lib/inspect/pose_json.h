// A pose in the form of a file of poses.

#pragma once

#include <string>

#include "humanoid/pose/human_pose.h"

namespace skinbake {

// A list of one pose, as gltf/user_file/poses_file.h describes it. Reading it gives the same
// rotations and the same place of the hips, up to rounding. An empty name is left out, and
// a name of more than 256 bytes is cut.
std::string pose_json(const HumanPose& pose, const std::string& name);

}  // namespace skinbake
