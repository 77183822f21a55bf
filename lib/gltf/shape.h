// The JSON's shape: what the rest of the loader may take for granted.
//
// tinygltf skips what it does not understand, which shifts indices, and trusts what it does. So it
// gets a copy of the document that has only the members we use, each of the right type, with every
// reference in range. Anything else is an Error with the JSON pointer of the culprit.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gltf/document.h"

namespace skinbake::gltf {

// Members that move vertices, checked; integers written as 1.0 become integers.
// Notes in the document which extensions are used where, and which attributes are unknown.
nlohmann::json shape_document(Document& document, const nlohmann::json& source);

}  // namespace skinbake::gltf
