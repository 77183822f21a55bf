// Fits the influences of a rig to the targets of a problem.

#pragma once

#include <span>

#include "fit/parallel.h"
#include "fit/problem.h"
#include "skinbake/rig.h"

namespace skinbake::fit {

// Returns at most `count` influences for each vertex, nearest to the targets. `always`: more frames
// of the problem's rig that the weights learn from. A vertex keeps its largest influences where
// they are nearer on clips of the problem that are left out in turn, or if there is one clip and no
// other frame, on alternate half seconds; and where they are within rounding of the target.
FittedInfluences fit_to_targets(const Problem& problem, std::span<const ClipFrames> always,
                                int count, const Workers& workers);

}  // namespace skinbake::fit
