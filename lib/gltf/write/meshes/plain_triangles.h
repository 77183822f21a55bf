// Triangles of primitives that Draco does not compress any more.

#pragma once

#include "gltf/write/document/document_writer.h"
#include "skinbake/rig_changes.h"

namespace skinbake::gltf {

// Writes the indices of each primitive of the rig's node of which KHR_draco_mesh_compression has no
// attribute left, and erases the extension there: it requires one. Precondition: the primitives of
// the document are those of the rig's mesh.
void write_plain_triangles(DocumentWriter& writer, const RigChanges& changes);

}  // namespace skinbake::gltf
