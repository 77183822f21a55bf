// The check of a file's JSON, which the rest of the loader relies on.
//
// tinygltf skips elements that it does not understand, which shifts indices, and does not check the
// others. It is therefore given a checked copy of the document: only the members that the loader
// uses, each with the right type, and every reference in range.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gltf/document/document.h"

namespace skinbake::gltf {

// Returns the members that move vertices; integers written as 1.0 become integers. Notes in the
// document where extensions are used, and attributes that glTF does not define.
// Throws Error (kInput) with the JSON pointer of the first violation.
nlohmann::json checked_json(Document& document, const nlohmann::json& source);

}  // namespace skinbake::gltf
