// Buffer views and primitives that an extension compresses.
//
// A view is decoded when it is first read, a primitive when its mesh is read. The decoded bytes
// become a buffer of the document, which accessors read like any other.

#pragma once

#include "gltf/document/document.h"

namespace skinbake::gltf {

// Returns the bytes of a buffer view, decoded if a meshopt extension compresses them.
ByteSpan view_bytes(Document& document, int view, const Element& element);

// Returns a range of a buffer. Throws Error (kInput, BUFFER_VIEW_OUT_OF_RANGE) if it ends past the
// buffer; `what` names the range.
ByteSpan checked_range(const Document& document, std::size_t buffer, std::uint64_t offset,
                       std::uint64_t length, const std::string& what, const Element& element);

// Decodes the primitives of a mesh that KHR_draco_mesh_compression compresses. They get plain
// accessors, and strips become lists of triangles.
void decompress_primitives(Document& document, int mesh);

// Returns the count * byte_stride decoded bytes of a view. Counts are checked before memory is
// allocated.
Bytes decode_meshopt(Document& document, const MeshoptView& view, ByteSpan source,
                     const Element& element);

}  // namespace skinbake::gltf
