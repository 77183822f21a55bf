// Frames of a clip with the names of their poses.

#pragma once

#include <cstdint>
#include <string>

#include "skinbake/clip.h"
#include "skinbake/frames.h"

namespace skinbake {

// The frames of a run, and the names of their poses.
struct NamedFrames : FrameRange {
  NamedFrames(const FrameRange& frames = {}, const Clip* played = nullptr)
      : FrameRange(frames), clip(played) {}

  // pose_name() of the clip in the frame with this number.
  std::string pose_name(std::int64_t frame_number) const;

  const Clip* clip;  // null: the rest pose, or unknown
};

}  // namespace skinbake
