// The tables at the end of a comparison.

#pragma once

#include <string>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// The methods, the best first: for each mesh and clip or, where these are many, over all of them.
std::string comparison_text(const Report& report);

}  // namespace skinbake::cli
