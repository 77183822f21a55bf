// Rows of half precision.

#pragma once

#include <cstddef>
#include <cstdint>

namespace skinbake {

// Rounds numbers to halves as to_half does. Returns the largest magnitude, infinity if one has
// become infinite.
float round_to_halves(const float* numbers, std::size_t count, std::uint16_t* halves);

}  // namespace skinbake
