// Times of keys as glTF stores them, in float32.

#pragma once

#include <cstdint>
#include <vector>

#include "clip/sampling/clip_tracks.h"
#include "skinbake/clip.h"

namespace skinbake {

// The time of frame k of the range, rounded to a float: by up to 1e-6 s from 16 s on, by up to
// 4e-6 s from 64 s on.
float key_time(const FrameRange& frames, std::int64_t k);

// The times of all frames of the range.
std::vector<float> key_times(const FrameRange& frames);

// Replaces the keys of a track, which are its values at the frames, by those at the key times. Each
// value moves along the line, or the arc of a rotation, to the frame on the other side of the key.
// Linear interpolation of the new keys then has the frames' values at the frames' own times, also
// where the motion has steps or corners; the error is of second order in the rounding of times.
void move_to_key_times(const FrameRange& frames, ClipTrack& track);

}  // namespace skinbake
