// The humanoid map by the shape of the hierarchy, for rigs whose names no table knows.

#pragma once

#include <vector>

#include "humanoid/node_tree.h"

namespace skinbake {

// Finds a body that stands upright (+Y is up): a pair of legs that go down from the hips, a spine
// that goes up from them, a pair of arms and a head at its end. The members of a pair mirror each
// other. Left is found from the feet, whose toes point forward; without toes the body faces +Z, as
// glTF 2.0 asks for.
//
// Returns all required bones, in the order of kHumanBones, or nothing: a guess is worse than none.
// Fingers are not mapped.
std::vector<HumanoidBone> map_by_structure(const NodeTree& tree);

}  // namespace skinbake
