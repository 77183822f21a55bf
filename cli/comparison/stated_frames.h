// What a cache tells of its frames, by its sidecar or by the file itself, and whether the frames of
// two sides correspond.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skinbake/caches.h"
#include "skinbake/clip.h"
#include "skinbake/error.h"

namespace skinbake::cli {

struct StatedFrames {
  FrameRange frames;        // fps 0: unknown
  bool is_numbered = true;  // whether the numbers of the frames are known
  bool is_exact = true;     // false: rate and numbers are found from the rounded times of a file
  std::optional<Space> space = {};    // none: unknown
  std::vector<CacheClip> clips = {};  // one after another; empty: unknown
};

// By the sidecar, whose hash is checked only if `is_verified`, else by the file. Throws Error
// (kInput).
StatedFrames stated_frames(const CacheReader& cache, bool is_verified);

// Whether both rates are known, and differ by more than the rounding of times explains.
bool have_other_rates(const StatedFrames& a, const StatedFrames& b);
// Whether both have numbers, and these differ by more than the rounding of times explains.
bool have_other_numbers(const StatedFrames& a, const StatedFrames& b);

// A warning that refers to `path_b`, if clips are known on both sides: FRAMES_UNLIKE if clips are
// compared with parts of others, CLIP_OF_OTHER_NAME if only names differ.
Issues unlike_clips(const std::string& path_a, const StatedFrames& a, const std::string& path_b,
                    const StatedFrames& b);

// These warnings, and one for each of: different frame numbers, frame rates or spaces.
Issues unlike_frames(const std::string& path_a, const StatedFrames& a, const std::string& path_b,
                     const StatedFrames& b);

// ---- The frames of two rigs.

struct ClipFrames {
  const Clip* clip;  // null: the rest pose
  FrameRange* frames;
};

// If both have the same frames, up to the last one of their clips, and a clip ends later: adds a
// frame to both, in which each clip is at its own end.
void add_ends(const ClipFrames& a, const ClipFrames& b);

// "19 frames", or "19 frames and the end" after add_ends().
std::string counted_frames(const FrameRange& frames);

// "frame 18", or "the end at 0.6167 s" for a frame of add_ends(). k counts the frames from 0.
std::string frame_text(const FrameRange& frames, std::int64_t k);

// A warning if a sidecar exists that does not belong to the cache in its present state. Reads the
// whole cache, once.
Issues ignored_sidecar(const CacheReader& cache);

}  // namespace skinbake::cli
