// Opens a glTF file: the container, the checked JSON, its extensions and its buffers.

#pragma once

#include <string>

#include "gltf/document/document.h"

namespace skinbake::gltf {

// Reads a file and its buffers. Throws Error (kInput) if types, references or lengths violate
// glTF 2.0.
Document open_document(const std::string& path, const LoadOptions& options, Role role);

}  // namespace skinbake::gltf
