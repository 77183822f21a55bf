// The surfaces of a comparison in the 3D viewer of the HTML page.

#pragma once

#include <cstdint>
#include <vector>

#include "skinbake/tool/report/viewer.h"
#include "surfaces/comparison.h"

namespace skinbake::cli {

// Prepares the view: A plain, and A and B coloured by the distances of the points in the faces
// around each vertex. Call after open_surfaces and before the frames are measured.
void begin_view(SurfaceComparison& comparison);

// Adds the frames of a pair of clips. `a`, `b`: the vertices of both files in `frames`.
void record_view(const SurfaceOptions& options, const FrameSource& a, const FrameSource& b,
                 const FrameRange& frames, const std::string& clip, SurfaceComparison& comparison);

}  // namespace skinbake::cli
