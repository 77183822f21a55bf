// A comparison of surfaces as text for a terminal.

#pragma once

#include <string>

#include "surfaces/comparison.h"

namespace skinbake::cli {

// How the points were paired and why, a table of the errors at rest and in each clip, the joints
// with the largest errors, and the result.
std::string surface_text(const SurfaceComparison& comparison);

// A line with the joint that places both files in the bind pose; empty if it is the heaviest.
std::string placement_line(const SurfaceComparison& comparison);

// "joint 'knee.L'", or "joint 'knee.L', vertex 12" of a point that is a vertex.
std::string point_text(const SurfaceDirection& direction, std::int64_t point);

// The largest Hausdorff distance of a run, metres; -1: not measured.
double hausdorff_max(const RunRecord& run);

}  // namespace skinbake::cli
