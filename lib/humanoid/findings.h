// The meaning and the faults of a humanoid map and of the rest pose of its bones.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "humanoid/pose/t_pose.h"
#include "skinbake/clip.h"
#include "skinbake/error.h"

namespace skinbake {

// A body at rest. Without all required bones only `missing` is known; limbs that coincide or have
// huge positions do not have a pose either.
struct HumanoidBody {
  std::vector<std::string_view> missing;  // required bones that the map does not have
  std::optional<TPose> pose;
  double hips_height_m = 0;  // above the ground, along the character's up
};

// The ground is y = 0 for a map of a VRM file, which promises it, and the lower foot for others.
HumanoidBody humanoid_body(const NodeTree& tree, const HumanoidMap& map);

}  // namespace skinbake
