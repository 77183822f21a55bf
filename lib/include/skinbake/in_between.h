// The error of linear interpolation between the frames of a bake.

#pragma once

#include <span>

#include "skinbake/bake.h"

namespace skinbake {

// Returns the frame rates in common use, ascending. The span is valid for the life of the program.
std::span<const double> usual_rates_hz();

// Returns the largest distance, in metres, between the linear interpolation of two successive
// frames and the method itself, halfway between every two frames of the plan. The plan's runs and
// its reference are ignored. Returns 0 if the plan has fewer than two frames. Throws as `bake`
// does.
double in_between_error(BakePlan plan, const Method& method);

}  // namespace skinbake
