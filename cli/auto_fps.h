// --fps auto:MAXERR

#pragma once

#include "bake_job.h"

namespace skinbake::cli {

// The lowest usual rate at which what is lost between frames stays below the limit, for all clips,
// meshes and methods of the run; it becomes the run's. Throws Error (kUsage) if there is none.
void choose_fps(BakeOptions& options, const Asset& asset, Resolved& resolved);

// For the summary; nothing if the rate was given.
std::string fps_text(const FrameOptions& options);

// A rate that is chosen for what lies between frames is for caches that have it interpolated.
// Throws CLI::ValidationError.
void require_interpolation(const BakeOptions& options);

}  // namespace skinbake::cli
