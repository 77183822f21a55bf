// The encoded bytes of images: from a bufferView, a data URI, or a file beside the glTF.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gltf/document/document.h"

namespace skinbake::gltf {

// How an image that cannot be read is handled.
enum class Unreadable { kLeftOut, kKeepsUri };

// Reads image `index`, an element of the file's "images", and records its file in document.inputs.
// An image that cannot be read becomes an issue, and does not have bytes.
ImageFile load_image(Document& document, const nlohmann::json& source, std::size_t index,
                     Unreadable unreadable);

}  // namespace skinbake::gltf
