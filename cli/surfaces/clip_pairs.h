// Which clips of two files are compared with each other.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report.h"
#include "skinbake/error.h"
#include "surfaces/side.h"

namespace skinbake::cli {

struct ClipPair {
  const SideClip* a = nullptr;
  const SideClip* b = nullptr;
  std::int64_t frame_count = 0;      // that both have, without the end of the clips
  FrameRange of_a = {}, of_b = {};   // what is compared, with the end of the clips
  std::int64_t frames_left_out = 0;  // that only one has
  // The lengths differ by more than a frame, and not options.overlap.
  bool has_other_length = false;
};

struct ClipPairs {
  std::vector<ClipPair> pairs;       // at least one
  std::vector<std::string> missing;  // ids of A's clips that have no partner in B
};

// Clips of one name are a pair; the others pair in the order of the files. The rest pose pairs with
// the rest pose: a side without clips gets it if the other side has none. Of a rig whose other side
// is a cache, one clip is taken. options.clips_b pairs with options.clips in order. Adds an issue
// for each clip without a partner or with one of another name, and unless options.overlap for clips
// whose lengths differ by more than a frame. Throws Error (kNotComparable) if B has no clips and A
// has some, or if a cache and its partner have different frame numbers or frame rates; UsageError
// if the clip of a cache is not known.
ClipPairs pair_clips(const SurfaceOptions& options, const SurfaceSide& a, SurfaceSide& b,
                     Issues& issues);

// The number of frames, over all pairs, that only one side has.
std::int64_t frames_left_out(const ClipPairs& clips);

// Adds a check that fails for each clip that is missing in B, unless CLIP_UNPAIRED is allowed, and
// for each pair with has_other_length, unless CLIP_LENGTHS_DIFFER is. In place of a mesh it has the
// path of B.
void add_clip_checks(const ClipPairs& clips, const SurfaceSide& b, Report& report);

}  // namespace skinbake::cli
