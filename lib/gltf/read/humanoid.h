// The extensions of VRM files: the humanoid map, from bones of the humanoid skeleton to nodes, and
// the spring bones of VRM 0.x.

#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "gltf/document/document.h"

namespace skinbake::gltf {

// Fills document.humanoid from VRM 0.x ("VRM"), VRM 1.0 ("VRMC_vrm") and VRM animations
// ("VRMC_vrm_animation"). Entries that violate the specification become issues and are left out.
void load_humanoid(Document& document, const nlohmann::json& gltf, std::size_t node_count);

// Notes spring bones of VRM 0.x, which are not simulated. Spring bones of VRM 1.0 are a separate
// extension, which check_extensions notes.
void note_spring_bones(Document& document, const nlohmann::json& gltf);

}  // namespace skinbake::gltf
