// Whether the two sides of a diff are frames of one kind.

#pragma once

#include "diff_side.h"

namespace skinbake::cli {

// Other frame numbers, rates or spaces: a warning each.
Issues unlike_frames(const DiffOptions& options, const DiffSide& a, const DiffSide& b);

}  // namespace skinbake::cli
