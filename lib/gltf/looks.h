// What a baked GLB keeps of a file: materials with their images, texture coordinates, colours, and
// how vertices make primitives.

#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <vector>

#include "gltf/document.h"
#include "skinbake/extras.h"

namespace skinbake::gltf {

// Moves out of the file's JSON what the extras are made of.
std::shared_ptr<const nlohmann::json> take_looks(nlohmann::json& source);

// Of the meshes of `rigs`, which are loaded. Throws Error (kInput) if what they use breaks a rule;
// an image that cannot be read is an issue.
std::shared_ptr<const AssetExtras> load_extras(Document& document, const std::vector<Rig>& rigs);

// An array of the file's JSON; empty if there is none.
const nlohmann::json& looks_array(const Document& document, const char* name);

// Primitives of a mesh; materials are checked against their count.
MeshExtras load_mesh_extras(Document& document, int mesh, const Mesh& geometry);

// Fills in materials, and of textures, samplers and images what those of `used` name.
void load_materials(Document& document, const std::set<int>& used, AssetExtras& extras);

// The file of an image, which stays in the document's inputs. What cannot be read is an issue.
ImageFile load_image(Document& document, std::size_t index);

}  // namespace skinbake::gltf
