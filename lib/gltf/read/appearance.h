// Reads the parts of a document that a baked file keeps.

#pragma once

#include <memory>
#include <vector>

#include "gltf/document/document.h"
#include "gltf/write/baked_document.h"
#include "skinbake/rig.h"

namespace skinbake::gltf {

// Reads the appearance of the meshes of the rigs. Throws Error (kInput) if it violates glTF 2.0; an
// image that cannot be read becomes an issue. Precondition: document.json.
std::shared_ptr<const BakedDocument> load_appearance(Document& document,
                                                     const std::vector<Rig>& rigs);

}  // namespace skinbake::gltf
