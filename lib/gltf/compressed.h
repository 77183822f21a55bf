// Buffer views and primitives whose bytes an extension compresses.
//
// Views are decoded when they are first read, primitives when their mesh is: then what was decoded
// has become a buffer of the document, and accessors read it like any other.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gltf/document.h"

namespace skinbake::gltf {

// Takes the compressing extensions and animation pointers out of the shaped JSON.
void take_extensions(nlohmann::json& shaped, Document& document);

// The bytes of a buffer view, decoded if EXT_meshopt_compression or its successor packed them.
ByteSpan view_bytes(Document& document, int view, const Element& element);

// The bytes that a view of the file itself shows. Throws unless they are all there.
ByteSpan checked_range(const Document& document, std::size_t buffer, std::uint64_t offset,
                       std::uint64_t length, const std::string& what, const Element& element);

// Decodes the primitives of a mesh that KHR_draco_mesh_compression packed. From then on they have
// plain accessors; a strip has become a list.
void decompress_primitives(Document& document, int mesh);

// The count * byte_stride bytes of a packed view. Counts are checked before memory is taken.
Bytes decode_meshopt(Document& document, const MeshoptView& view, ByteSpan source,
                     const Element& element);

}  // namespace skinbake::gltf
