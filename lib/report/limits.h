// The largest numbers that an untrusted report may contain: products of accepted numbers do not
// overflow.

#pragma once

#include <cstdint>

namespace skinbake {

inline constexpr std::int64_t kMostFrames = 2147483647;                // frames of a run
inline constexpr std::int64_t kMostCount = std::int64_t{1} << 40;      // vertices, bytes, issues
inline constexpr std::int64_t kFarthestFrame = std::int64_t{1} << 40;  // frame number, either sign

}  // namespace skinbake
