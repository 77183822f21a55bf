// The map from humanoid bones to nodes that VRM files carry.

#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "skinbake/gltf.h"

namespace skinbake::gltf {

// Of VRM 0.x ("VRM"), VRM 1.0 ("VRMC_vrm") and VRM animations ("VRMC_vrm_animation"); empty: none.
// Entries that are not what the specification says are left out: nothing depends on them.
std::vector<HumanoidBone> humanoid_map(const nlohmann::json& gltf, std::size_t node_count);

}  // namespace skinbake::gltf
