// Elements of a document that belong to one node: a mesh or a skin that other nodes use too is
// copied before it is changed.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gltf/write/document_writer.h"

namespace skinbake::gltf {

// The mesh or the skin of a node, copied if another node uses it. Returns its index. The
// expressions of VRM 0.x that name a mesh name its copy too.
std::size_t own_mesh(DocumentWriter& writer, std::size_t node);
std::size_t own_skin(DocumentWriter& writer, std::size_t node);

// Replaces or removes an attribute of a primitive. Where Draco compresses the attribute, its value
// is not read from there any more.
void replace_attribute(nlohmann::json& primitive, const std::string& name, std::size_t accessor);
void erase_attribute(nlohmann::json& primitive, const std::string& name);

}  // namespace skinbake::gltf
