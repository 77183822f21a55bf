// Clips of other files and clips that are made without an animation, as clips of the rig.

#pragma once

#include "clips/clip_collection.h"
#include "clips/clip_source.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// Whether every selected clip is the rig's own and no option changes it.
bool keeps_own_clips(const ClipSource& source, const Asset& asset);

// Gives the asset the map of --humanoid. If --clip names more than clips of the rig, or if an
// option changes the motion of a human body, replaces the asset's clips by all selected clips,
// matched to the rig, and returns their ids. Otherwise returns the values of --clip. Throws Error.
UsedClips use_clip_files(const ClipSource& source, const LoadOptions& load, Asset& asset);

}  // namespace skinbake::cli
