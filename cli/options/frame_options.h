// The sampled frames of a clip and the space of the positions, of every command that evaluates a
// rig.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clip/frame_rates.h"
#include "skinbake/clip.h"
#include "skinbake/frames.h"

namespace skinbake::cli {

struct FrameOptions {
  double fps = 30;
  bool fps_of_clip = false;           // --fps clip: settle_fps() replaces `fps`
  std::optional<std::string> frames;  // A[:[B][:STEP]], both ends included
  bool loop = false;                  // omits the last frame, which equals the first
  std::int64_t max_frames = 1'000'000;
  Space space = Space::kScene;
};

// Reads a frame rate, a number or N/D. `forms`: of the option, for messages. Throws UsageError.
double parse_fps(const std::string& text, const std::string& forms = "a number or N/D");

// Reads a value of --fps: a frame rate or "clip". Throws UsageError.
void set_fps(const std::string& text, FrameOptions& options);

// Clips of a file whose nodes are `skeleton`, for settle_fps().
std::vector<KeyedClip> keyed_clips(const std::string& path, const Skeleton& skeleton,
                                   std::span<const Clip* const> clips);

// With --fps clip, sets the rate on whose frames all keys of the clips lie. Throws Error (kInput,
// CLIP_RATE_UNKNOWN) if there is none.
void settle_fps(std::span<const KeyedClip> clips, FrameOptions& options);

// The frames of `clip` (null: one frame, the rest pose) that the options select. `path`: the clip's
// file, for messages. Throws Error (kUsage) that names the available frames.
FrameRange select_frames(const std::string& path, const Clip* clip, const FrameOptions& options);

// The number of frames of the whole clip. `loop`: without the last one.
std::int64_t clip_frame_count(const Clip& clip, double fps, bool loop);

}  // namespace skinbake::cli
