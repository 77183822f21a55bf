// The worst places of one or several reports: where a rigger looks first.

#pragma once

#include <span>
#include <string>

#include "report/pages/pairs.h"

namespace skinbake {

// A list of at most five places: joints that lose volume, the most distorted triangle and the
// vertex that is farthest from the reference, each with its frame, its method and the values of the
// other methods there. A place is a button, which page.js and the 3D viewer act on. `pairs`: the
// worst first. A text if every change is rounding; empty if the reports do not have measurements.
std::string worst_places(std::span<const Pair> pairs);

}  // namespace skinbake
