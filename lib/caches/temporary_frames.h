// Frames that one run writes and a later run of the same process reads.

#pragma once

#include <cstdint>
#include <memory>

#include "skinbake/frames.h"

namespace skinbake {

// A sink that stores its frames in an unnamed temporary file ($TMPDIR, or /tmp), and after end() is
// a source of them. The system deletes the file when the object is destroyed or the process ends.
class TemporaryFrames : public FrameSink, public FrameSource {};

// Makes a sink that takes 12 bytes of disk per vertex and frame. Throws Error (kOutput) if the disk
// is full or the folder cannot be written.
std::unique_ptr<TemporaryFrames> make_temporary_frames(std::int64_t vertex_count,
                                                       std::int64_t frame_count);

}  // namespace skinbake
