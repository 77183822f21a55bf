// The motion of a clip as keys of single nodes, one at each frame, as other programs play it. The
// times of the keys are those of key_time().

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "skinbake/clip.h"

namespace skinbake {

// The keys of one property of one node.
struct ClipTrack {
  NodeIndex node = -1;
  ChannelPath path = ChannelPath::kTranslation;
  int width = 3;            // numbers per key: 3, 4 (x y z w), or the number of morph targets
  std::vector<float> keys;  // [frame][width]
};

// Samples the clip at the frames, and returns a track for every property that leaves its rest: by
// node, then translation, rotation, scale and weights. If nothing does, returns one track, so that
// the clip keeps its duration. Successive rotations are on the same side: the dot product of their
// quaternions is not negative, so linear interpolation takes the shorter arc. Interpolated, the
// keys have the clip's values at the frames, not at the times of the keys. The clip moves nodes of
// `skeleton` and morph targets of `rigs`. Keys may be infinite or NaN, as the motion may be.
// `progress` gets the number of sampled frames.
std::vector<ClipTrack> clip_tracks(const Skeleton& skeleton, std::span<const Rig> rigs,
                                   const Clip& clip, const FrameRange& frames,
                                   const std::function<void(std::int64_t)>& progress = {});

}  // namespace skinbake
