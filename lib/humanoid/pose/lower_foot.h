// The foot on which a body stands: the lower one.

#pragma once

#include <array>
#include <optional>

#include "humanoid/pose/human_pose.h"
#include "skinbake/rig.h"

namespace skinbake {

// The height of the lower foot's joint along y. `place_of` returns the place of a node in the
// scene. None: the body has no feet. `nodes` is [bone of kHumanBones]; -1: not mapped.
template <class PlaceOf>
std::optional<double> lower_foot_m(const std::array<NodeIndex, kHumanBones.size()>& nodes,
                                   const PlaceOf& place_of) {
  std::optional<double> lower;
  for (const char* foot : {"leftFoot", "rightFoot"}) {
    const NodeIndex node = nodes[human_bone_index(foot)];
    if (node < 0) continue;
    const double height = place_of(node).y;
    if (!lower || height < *lower) lower = height;
  }
  return lower;
}

}  // namespace skinbake
