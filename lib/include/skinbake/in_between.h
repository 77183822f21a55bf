// What is lost between the frames of a bake.

#pragma once

#include <span>

#include "skinbake/bake.h"

namespace skinbake {

// Rates that are in use, ascending.
std::span<const double> usual_rates_hz();

// The largest distance, in metres, between what a player makes of the moments half-way between the
// plan's frames, which interpolates them linearly, and the method there. The plan's runs and
// reference do not count. 0 if there are no two frames. Throws as `bake` does.
double in_between_error(BakePlan plan, const Method& method);

}  // namespace skinbake
