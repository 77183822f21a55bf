// The names of morph targets, which exporters write into extras.targetNames of a mesh.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gltf/document/document.h"

namespace skinbake::gltf {

// Fills document.morph_names from the file's JSON. `checked` is the result of checked_json. Several
// targets may have one name. The names of a mesh that does not name each target are left out,
// without an issue: glTF does not define them.
void load_morph_names(Document& document, const nlohmann::json& gltf,
                      const nlohmann::json& checked);

}  // namespace skinbake::gltf
