// Clips of other files and clips that are made without an animation, as clips of the rig.

#pragma once

#include "clips/clip_collection.h"
#include "clips/clip_source.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// If --clip names more than clips of the rig, replaces the asset's clips by all selected clips,
// matched to the rig, and returns their ids. Otherwise returns the values of --clip. Throws Error.
UsedClips use_clip_files(const ClipSource& source, const LoadOptions& load, Asset& asset);

// The same for a single value that does not name a clip of the rig: FILE[#ID], "rom[:PART]" or
// "poses:FILE".
UsedClips use_other_clip(const ClipSource& source, const LoadOptions& load, Asset& asset);

// Finds the humanoid map of an asset that does not have one. A skeleton that is not mapped is the
// issue HUMANOID_UNKNOWN.
void map_humanoid(Asset& asset);

}  // namespace skinbake::cli
