// The faces of VRM files: expressions (in VRM 0.x, groups of blend shapes) and look-at, and the
// nodes of VRM animations that drive them.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gltf/document/document.h"

namespace skinbake::gltf {

// Fills document.face from VRM 1.0 ("VRMC_vrm") or 0.x ("VRM"), or with Role::kClip
// document.face_nodes from a VRM animation. `checked` is the result of checked_json. Parts that
// violate the specification become issues and are left out.
void load_face(Document& document, const nlohmann::json& gltf, const nlohmann::json& checked);

// Fills document.morph_names from the file's JSON. `checked` is the result of checked_json. Several
// targets may have one name. The names of a mesh that does not name each target are left out,
// without an issue: glTF does not define them.
void load_morph_names(Document& document, const nlohmann::json& gltf,
                      const nlohmann::json& checked);

}  // namespace skinbake::gltf
