// What a report that nobody vouches for may at most say, so that products stay whole numbers.

#pragma once

#include <cstdint>

namespace skinbake {

inline constexpr std::int64_t kMostFrames = 2147483647;            // --max-frames allows no more
inline constexpr std::int64_t kMostCount = std::int64_t{1} << 40;  // of vertices, bytes, issues
inline constexpr std::int64_t kFarthestFrame = std::int64_t{1} << 40;  // its number

}  // namespace skinbake
