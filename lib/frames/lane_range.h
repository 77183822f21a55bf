// The range of numbers over frames.

#pragma once

#include <cstddef>

namespace skinbake {

// block: [number][16 frames], aligned to 64 bytes. Lowers low[number] and raises high[number] to
// hold all frames of it, for `count` numbers.
void widen_by_lanes(const float* block, std::size_t count, float* low, float* high);

}  // namespace skinbake
