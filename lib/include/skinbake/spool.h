// Frames on their way from one run into another.

#pragma once

#include <cstdint>
#include <memory>

#include "skinbake/frames.h"

namespace skinbake {

// A sink that keeps its frames in a temporary file without a name ($TMPDIR, or /tmp), and after
// end() a source of them. The file is gone with the spool, however the process ends.
class Spool : public FrameSink, public FrameSource {};

// Takes 12 bytes of disk per vertex and frame. Throws Error (kOutput) if there is no room.
std::unique_ptr<Spool> make_spool(std::int64_t vertex_count, std::int64_t frame_count);

}  // namespace skinbake
