// What engines do to a vertex's weights: keep the largest, and store them as small integers.
//
// Both take the influences of one vertex as rig.h has them and leave them so.

#pragma once

#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// Keeps the `count` largest and divides them by their sum; leaves fewer as they are.
void keep_largest(std::size_t count, std::vector<Influence>& influences);

// Weights become k / levels with whole k of sum `levels`: rounded down, and what is left handed
// out to the largest fractions, one each. Fractions within 1e-9 of the largest tie, and the earlier
// influence wins. Weights of zero drop out.
void quantize_weights(int levels, std::vector<Influence>& influences);

}  // namespace skinbake
