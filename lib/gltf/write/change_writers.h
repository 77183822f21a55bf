// Write the changes of a rig into a document: morph targets and the clips' weights of them,
// influences and helper joints.

#pragma once

#include <cstdint>
#include <span>

#include "gltf/write/document_writer.h"
#include "skinbake/clip.h"
#include "skinbake/gltf.h"

namespace skinbake::gltf {

// Adds all changes. What they replace stays, although nothing may use it any more. Throws Error
// (kUsage, CACHE_TIMES_COLLIDE).
void add_changes(const Asset& asset, std::span<const RigChanges> changes, DocumentWriter& writer);

// The bytes that a file gets more; none if it gets smaller, as it may with fewer influences.
std::uint64_t more_than(std::uint64_t before, std::uint64_t after);

// Appends the targets of the changes to the targets of the mesh, in every primitive, and replaces
// positions and normals of the mesh by the base of the targets. A mesh that other nodes use too is
// copied first, so that these nodes stay as they are. The clips of the changes animate
// all weights of the node by one channel each; other animations keep the added weights at rest.
// Does nothing if the changes do not have targets. `clips`: all of the file. Precondition: the
// document is the file of the rig; its animations have the indices of the clips.
void add_morphs(DocumentWriter& writer, const RigChanges& changes, std::span<const Clip> clips);

// Erases the primitives without positions of a mesh that got targets: they cannot have targets, and
// all primitives of a mesh must have the same number of them. The other primitives get new indices,
// so this is the last change of the mesh.
void erase_without_targets(DocumentWriter& writer, const RigChanges& changes);

// Replaces JOINTS_n and WEIGHTS_n of every primitive by the influences of the changes, with weights
// in float32 and as many sets of four as the vertices need. A mesh that other nodes use too is
// copied first. Helpers become nodes below their parents, joints at the end of the skin, which is
// copied if other nodes use it too, and channels of the clips' animations. Does nothing if the
// changes do not have influences. Preconditions: the document is the file of the rig; its
// animations have the indices of the clips; helpers have keys at every frame of every clip.
void add_skin(DocumentWriter& writer, const RigChanges& changes);

// Writes the indices of each primitive of the rig's node of which KHR_draco_mesh_compression has no
// attribute left, and erases the extension there: it requires one. Precondition: the primitives of
// the document correspond to the primitives of the rig's mesh.
void write_plain_triangles(DocumentWriter& writer, const RigChanges& changes);

// Gives each clip of the changes one channel for all weights of the rig's node, instead of the
// file's channels. Channels of other animations get the added weights at rest. `clips`: of the
// file. Precondition: as of add_morphs().
void animate_weights(DocumentWriter& writer, const RigChanges& changes,
                     std::span<const Clip> clips);

}  // namespace skinbake::gltf
