// The range of numbers over the frames of a block.

#pragma once

#include <cstddef>

namespace skinbake {

// Widens the ranges low[number] … high[number] by all frames of the number, for `count` numbers.
// block: [number][16 frames], aligned to 64 bytes.
void widen_by_lanes(const float* block, std::size_t count, float* low, float* high);

}  // namespace skinbake
