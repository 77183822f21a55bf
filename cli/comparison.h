// The tables at the end of a comparison.

#pragma once

#include <string>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// The methods, the best first: for each mesh and clip or, where these are many, over all of them.
std::string comparison_text(const Report& report);

// What each method costs and keeps, the cheapest first, and which one is recommended. Empty without
// a recommendation.
std::string recommendation_text(const Report& report);

// A paragraph for each vertex that is explained.
std::string explanations_text(const Report& report);

}  // namespace skinbake::cli
