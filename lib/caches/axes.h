// Positions in other axes and units than ours, and numbers in another order of bytes.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "skinbake/caches.h"

namespace skinbake {

// One coordinate in the cache's unit: rounded once more, to float.
inline float scaled(float metres, double scale) {
  return static_cast<float>(static_cast<double>(metres) * scale);
}

// From metres, y up, to `axes`, in place. Returns the largest magnitude, infinity if one is not a
// finite number any more.
inline float turn_to(const CacheAxes& axes, float* positions, std::size_t vertex_count) {
  float largest = 0;
  bool finite = true;
  for (std::size_t v = 0; v < vertex_count; ++v) {
    float* p = positions + 3 * v;
    const float x = scaled(p[0], axes.scale);
    const float y = scaled(p[1], axes.scale);
    const float z = scaled(p[2], axes.scale);
    const bool z_up = axes.up == CacheAxes::Up::kZ;
    p[0] = x;
    p[1] = z_up ? -z : y;
    p[2] = z_up ? y : z;
    for (const float number : {x, y, z}) {
      const float magnitude = std::abs(number);
      finite &= magnitude <= std::numeric_limits<float>::max();
      largest = magnitude > largest ? magnitude : largest;
    }
  }
  return finite ? largest : std::numeric_limits<float>::infinity();
}

// Numbers are moved as integers: what they are as floats does not matter.
inline void swap_bytes(float* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, numbers + i, sizeof bits);
    bits = __builtin_bswap32(bits);
    std::memcpy(numbers + i, &bits, sizeof bits);
  }
}

}  // namespace skinbake
