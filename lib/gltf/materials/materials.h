// Loads the content that a baked GLB keeps: materials with their images, texture coordinates,
// colours and the indices of primitives.

#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "gltf/document/document.h"
#include "skinbake/materials.h"

namespace skinbake::gltf {

// Moves the members that load_materials reads out of the file's JSON.
std::shared_ptr<const nlohmann::json> take_materials(nlohmann::json& source);

// Loads the materials of the meshes of `rigs`. Throws Error (kInput) if they violate glTF 2.0; an
// image that cannot be read becomes an issue.
std::shared_ptr<const AssetMaterials> load_materials(Document& document,
                                                     const std::vector<Rig>& rigs);

// Returns an array of document.materials, or an empty array.
const nlohmann::json& materials_array(const Document& document, const char* name);

// Loads the primitives of a mesh. Throws Error (kInput) if a primitive's material does not exist.
MeshMaterials load_mesh_materials(Document& document, int mesh, const Mesh& geometry);

// What becomes of an image that cannot be read.
enum class Unreadable { kLeftOut, kKeepsUri };

// Reads image `index`, an element of the file's "images", and records its file in document.inputs.
// An image that cannot be read becomes an issue, and its bytes are null.
ImageFile load_image(Document& document, const nlohmann::json& source, std::size_t index,
                     Unreadable unreadable);

}  // namespace skinbake::gltf
