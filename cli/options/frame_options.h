// The sampled frames of a clip and the space of the positions, of every command that evaluates a
// rig.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "skinbake/clip.h"
#include "skinbake/frames.h"

namespace skinbake::cli {

struct FrameOptions {
  double fps = 30;
  std::optional<double> in_between_limit_m;  // of --fps auto:METRES
  double in_between_error_m = 0;             // of the rate that --fps auto chose
  std::optional<std::string> frames;         // A[:[B][:STEP]], both ends included
  bool loop = false;                         // omits the last frame, which equals the first
  std::int64_t max_frames = 1'000'000;
  Space space = Space::kScene;
};

// The frames of `clip` (null: one frame, the rest pose) that the options select. `path`: the clip's
// file, for messages. Throws Error (kUsage) that names the available frames.
FrameRange select_frames(const std::string& path, const Clip* clip, const FrameOptions& options);

// The number of frames of the whole clip. `loop`: without the last one.
std::int64_t clip_frame_count(const Clip& clip, double fps, bool loop);

}  // namespace skinbake::cli
