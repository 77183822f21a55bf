// What kinds of members alone cannot say: values that must be some of a few, or fit one another.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gltf/document.h"

namespace skinbake::gltf {

// Throws Error if an accessor, a bufferView or a sampler of the shaped document is none that glTF
// allows.
void check_values(const Document& document, const nlohmann::json& shaped);

}  // namespace skinbake::gltf
