// The name of a bind in the bind cache.

#pragma once

#include <string>

#include "skinbake/bake.h"

namespace skinbake {

// A hash of all inputs of a method's bind: positions, triangles, morph targets, influences, joints
// and their parents, the method with its parameters. 32 hexadecimal digits.
std::string bind_key(const Method& method, const Rig& rig, const BakePlan& plan);

}  // namespace skinbake
