// Appends sampled clips to a document, as glTF animations.

#pragma once

#include <map>
#include <set>
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

// Appends sampled clips. `writer` must outlive the object.
class AnimationWriter {
 public:
  explicit AnimationWriter(DocumentWriter& writer);

  // Appends an animation with a channel for each track, and linear interpolation between the
  // frames. Returns its name: `name`, with "_2", "_3" … if the document has an animation of this
  // name. `nodes`: of the skeleton that the tracks move. Nodes of the document that have a matrix
  // get the parts of the skeleton's nodes instead.
  std::string add(const std::string& name, const FrameRange& frames, std::vector<ClipTrack> tracks,
                  std::span<const Node> nodes);

 private:
  std::string take_unused(const std::string& name);

  DocumentWriter& writer_;
  std::set<std::string> names_;             // of all animations
  std::map<std::string, int> next_number_;  // by name: a file can give one to all of its clips
};

}  // namespace skinbake::gltf
