// The animation of a baked GLB that is read back.

#pragma once

#include "base/random_access_file.h"
#include "caches/glb_document.h"
#include "skinbake/clip.h"

namespace skinbake {

// Refuses what the writer does not write: one weight is on at a time, weight f - 1 at key f.
void check_glb_animation(const GlbDocument& document, const RandomAccessFile& file,
                         const FrameRange& range);

}  // namespace skinbake
