// The surfaces of a comparison in the 3D viewer of the HTML page.

#pragma once

#include <cstdint>

#include "report/viewer/viewer.h"
#include "surfaces/comparison.h"

namespace skinbake::cli {

// Prepares the view: A plain, and A and B coloured by the distances of the points in the faces
// around each vertex. Call after open_surfaces and before the frames are measured.
void begin_view(SurfaceComparison& comparison);

// Adds the frames of a pair of clips.
void record_view(const SurfaceOptions& options, const PairFrames& pair, const std::string& clip,
                 SurfaceComparison& comparison);

}  // namespace skinbake::cli
