// --fps auto:METRES: selects the frame rate by the interpolation error.

#pragma once

#include "jobs/bake_job.h"

namespace skinbake::cli {

// Sets the frame rate of the run to the lowest usual rate whose interpolation error between frames
// is below the limit, for all clips, meshes and methods. Throws Error (kUsage) if there is none.
void choose_fps(BakeOptions& options, const Asset& asset, ResolvedOptions& resolved);

// The chosen rate, for the summary; empty if --fps is a number.
std::string fps_text(const FrameOptions& options);

// --fps auto assumes that frames are interpolated. Throws UsageError if an output holds its frames.
void require_interpolation(const BakeOptions& options);

}  // namespace skinbake::cli
