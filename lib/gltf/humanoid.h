// The map from humanoid bones to nodes that VRM files carry.

#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "gltf/document.h"

namespace skinbake::gltf {

// Fills document.humanoid, from VRM 0.x ("VRM"), VRM 1.0 ("VRMC_vrm") and VRM animations
// ("VRMC_vrm_animation"); empty: none. Entries that are not what the specification says are left
// out and named: nothing else depends on them.
// A file that is wanted for its clips: only the map of a VRM animation, which says what its nodes
// are in a T-pose.
void take_humanoid(Document& document, const nlohmann::json& gltf, std::size_t node_count);

}  // namespace skinbake::gltf
