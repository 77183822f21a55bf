// A rig and its clips with the changes of `fit`, as a program sees them that reads the written
// file.

#pragma once

#include "skinbake/clip.h"

namespace skinbake::fit {

Rig changed_rig(const RigChanges& changes);

// The clip with the keys of changes.clips[index].
Clip changed_clip(const RigChanges& changes, std::size_t index);

// Merges the weights of added targets with the clip's weights of the mesh's targets: sets
// keys.morph_times and keys.morph_weights. `added`: [frame][added target], in keys.frames, from 0
// to 1.
// Keys are at the frames and at the keys of the clip; a channel that jumps gets a key just before
// each jump.
void merge_weights(const Rig& rig, std::vector<float> added, std::size_t added_count,
                   ClipKeys& keys);

}  // namespace skinbake::fit
