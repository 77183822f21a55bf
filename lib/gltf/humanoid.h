// The map from humanoid bones to nodes that VRM files carry.

#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "gltf/document.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

// Of VRM 0.x ("VRM"), VRM 1.0 ("VRMC_vrm") and VRM animations ("VRMC_vrm_animation"); empty: none.
// Entries that are not what the specification says are left out: nothing depends on them.
// A file that is wanted for its clips: only the map of a VRM animation, which says what its nodes
// are in a T-pose.
std::vector<HumanoidBone> humanoid_map(const nlohmann::json& gltf, std::size_t node_count,
                                       Role role);

}  // namespace skinbake::gltf
