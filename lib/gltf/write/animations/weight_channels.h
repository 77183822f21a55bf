// Animates the weights of a node that has further morph targets.

#pragma once

#include <span>

#include "gltf/write/document/document_writer.h"
#include "skinbake/rig_changes.h"

namespace skinbake::gltf {

// Gives each clip of the changes one channel for all weights of the rig's node, instead of those
// that the file has. Channels of other animations get the added weights at rest. `clips`: of the
// file. Precondition: as of add_morphs().
void animate_weights(DocumentWriter& writer, const RigChanges& changes,
                     std::span<const Clip> clips);

}  // namespace skinbake::gltf
