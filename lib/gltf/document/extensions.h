// Extensions of glTF that the loader reads, ignores or refuses.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gltf/document/document.h"

namespace skinbake::gltf {

// Moves the compressing extensions and the animation pointers from the checked JSON into the
// document.
void take_extensions(nlohmann::json& checked, Document& document);

// Lists the nodes that KHR_node_visibility hides at rest, and those whose meshes
// EXT_mesh_gpu_instancing multiplies. `source`: the JSON of a checked file.
void find_special_nodes(const nlohmann::json& source, Document& document);

// Throws Error (kInput) if the file requires an extension that changes geometry and is not
// supported. Other unknown extensions become issues.
void check_extensions(Document& document);

}  // namespace skinbake::gltf
