// Rounding of rows to half precision.

#pragma once

#include <cstddef>
#include <cstdint>

namespace skinbake {

// Rounds numbers to halves as to_half does. Returns the largest magnitude; infinity if a half is
// infinite.
float round_to_halves(const float* numbers, std::size_t count, std::uint16_t* halves);

}  // namespace skinbake
