// Which clips of two files are compared with each other.

#pragma once

#include <cstdint>
#include <vector>

#include "skinbake/error.h"
#include "surfaces/side.h"

namespace skinbake::cli {

struct ClipPair {
  const SideClip* a = nullptr;
  const SideClip* b = nullptr;
  std::int64_t frame_count = 0;  // that both have
};

// Clips of one name are a pair; the others pair in the order of the files. Adds an issue for each
// clip without a partner, and unless options.overlap for clips whose lengths differ by more than a
// frame. Throws Error (kNotComparable) if a cache and its partner have different frame
// numbers or frame rates.
std::vector<ClipPair> pair_clips(const SurfaceOptions& options, const SurfaceSide& a,
                                 const SurfaceSide& b, Issues& issues);

}  // namespace skinbake::cli
