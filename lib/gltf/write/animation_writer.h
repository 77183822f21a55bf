// Appends a sampled clip to a document, as a glTF animation.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "clip/sampling/clip_tracks.h"
#include "gltf/write/document_writer.h"
#include "skinbake/clip.h"

namespace skinbake::gltf {

// Throws Error (kUsage, CACHE_TIMES_COLLIDE) if two frames have the same time in float32. `clip`:
// its name, for the message.
void require_distinct_times(const FrameRange& frames, const std::string& clip);

// Appends an animation with a channel for each track, and linear interpolation between the frames.
// Returns its name: `name`, with "_2", "_3" … if the document has an animation of this name.
// `nodes`: of the skeleton that the tracks move. Nodes of the document that have a matrix get the
// parts of the skeleton's nodes instead.
std::string add_animation(DocumentWriter& writer, const std::string& name, const FrameRange& frames,
                          std::vector<ClipTrack> tracks, std::span<const Node> nodes);

}  // namespace skinbake::gltf
