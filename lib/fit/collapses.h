// The places where linear blending collapses the surface, so that no corrective restores it.

#pragma once

#include <vector>

#include "fit/problem.h"
#include "skinbake/fit.h"
#include "skinbake/metrics.h"

namespace skinbake::fit {

// The pairs of joints whose vertices exceed `limit_m` in a frame in which their map is nearly
// singular, the pair with the largest error first. `errors`: of the clip, after the fit.
std::vector<FitCollapse> find_collapses(const Problem& problem, const ClipFrames& clip,
                                        const PositionErrorResult::PerVertex& errors,
                                        double limit_m);

}  // namespace skinbake::fit
