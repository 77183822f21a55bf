// The animations of a baked GLB, read as untrusted input: they must play what the frames are.

#pragma once

#include <span>

#include "base/random_access_file.h"
#include "caches/glb/read/document.h"
#include "caches/glb/timeline.h"
#include "skinbake/clip.h"

namespace skinbake {

// Checks that each clip has one animation, which shows every frame of each mesh at its time, and
// nothing else. `clips`: the frames of each clip. Throws Error (kInput) otherwise.
void check_animations(const GlbDocument& document, const RandomAccessFile& file,
                      const GlbTimeline& timeline, std::span<const FrameRange> clips);

}  // namespace skinbake
