// `diff --match order|surface|auto`: compares files whose vertices do not pair by index.

#pragma once

#include "diff/options.h"
#include "diff/side.h"

namespace skinbake::cli {

// Returns the exit code. Throws Error and UsageError.
int diff_surfaces(const DiffOptions& options);

// Throws Error (kNotComparable) if the vertices of two rigs have another order, so that a
// comparison by index would pair vertices of other places.
void require_same_order(const ChosenRig& a, const ChosenRig& b);

}  // namespace skinbake::cli
