// Adds morph targets to the mesh of a rig in a document, with weights that clips animate.

#pragma once

#include <span>

#include "gltf/write/document/document_writer.h"
#include "skinbake/rig_changes.h"

namespace skinbake::gltf {

// Appends the targets of the changes to those of the mesh, in every primitive, and replaces the
// positions and normals of the mesh by those to which the targets are relative. A mesh that other
// nodes use too is copied first, so that these stay as they are. The clips of the changes animate
// all weights of the node by one channel each; other animations keep the added weights at rest.
// Does nothing if the changes do not have targets. `clips`: all of the file. Precondition: the
// document is the file of the rig; its animations have the indices of the clips.
void add_morphs(DocumentWriter& writer, const RigChanges& changes, std::span<const Clip> clips);

// Erases the primitives without positions of a mesh that got targets: they cannot have targets, and
// all primitives of a mesh must have the same number of them. The other primitives get new indices,
// so this is the last change of the mesh.
void erase_without_targets(DocumentWriter& writer, const RigChanges& changes);

}  // namespace skinbake::gltf
