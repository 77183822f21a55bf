// Writes the influences and helper joints of a rig's changes into a document.

#pragma once

#include "gltf/write/document/document_writer.h"
#include "skinbake/rig_changes.h"

namespace skinbake::gltf {

// Replaces JOINTS_n and WEIGHTS_n of every primitive by the influences of the changes, with weights
// in float32 and as many sets of four as the vertices need. A mesh that other nodes use too is
// copied first. Helpers become nodes below their parents, joints at the end of the skin, which is
// copied if other nodes use it too, and channels of the clips' animations. Does nothing if the
// changes do not have influences. Preconditions: the document is the file of the rig; its
// animations have the indices of the clips; helpers have keys at every frame of every clip.
void add_skin(DocumentWriter& writer, const RigChanges& changes);

}  // namespace skinbake::gltf
