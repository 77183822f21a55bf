// The motion of a clip as keys of single nodes, and the times of keys.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "skinbake/clip.h"

namespace skinbake {

// ---- The motion of a clip as keys of single nodes, one at each frame, as other programs play it.
// key_time() gives the times of the keys.

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

// ---- Times of keys as glTF stores them, in float32.

// The time of frame k of the range, rounded to a float: by up to 1e-6 s from 16 s on, by up to
// 4e-6 s from 64 s on.
float key_time(const FrameRange& frames, std::int64_t k);

std::vector<float> key_times(const FrameRange& frames);

// Moves the keys of a track, which are its values at the frames, to the key times. Each
// value moves along the line, or the arc of a rotation, to the frame on the other side of the key.
// Linear interpolation of the new keys then has the frames' values at the frames' own times, also
// where the motion has steps or corners; the error is of second order in the rounding of times.
void move_to_key_times(const FrameRange& frames, ClipTrack& track);

}  // namespace skinbake
