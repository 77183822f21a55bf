// Fits the influences of a rig to the targets of a problem.

#pragma once

#include "fit/parallel.h"
#include "fit/problem.h"
#include "fit/training.h"
#include "skinbake/modifiers.h"

namespace skinbake::fit {

// Returns at most `count` influences for each vertex, nearest to the targets. A vertex keeps its
// largest influences where they are nearer on clips that are left out in turn; a single clip is not
// left out.
FittedInfluences fit_to_targets(const Problem& problem, int count, const Workers& workers);

}  // namespace skinbake::fit
