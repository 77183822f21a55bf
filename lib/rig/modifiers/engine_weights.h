// Two operations that engines apply to the weights of a vertex at import: keeping the largest
// weights, and rounding them to small integers.
//
// Both functions preserve the conditions of Rig for the influences of the vertex.

#pragma once

#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// Keeps the `count` largest weights and divides them by their sum. Does nothing if there are not
// more than `count`.
void keep_largest(std::size_t count, std::vector<Influence>& influences);

// Rounds weights to k / levels with integers k whose sum is `levels` (the largest remainder
// method): weights are rounded down, and the remaining units go to the largest fractions, one unit
// each. Fractions within 1e-9 of the largest are ties, which the earlier influence wins. Weights of
// zero are removed.
void quantize_weights(int levels, std::vector<Influence>& influences);

}  // namespace skinbake
