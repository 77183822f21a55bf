// Conversion of positions between rig axes (metres, y up) and the axes of a cache.
//
//   y up   c = s r                    r  position in rig axes
//   z up   c = s (r.x, -r.z, r.y)     c  stored position, s  units per metre

#pragma once

#include <cstddef>

#include "skinbake/caches.h"

namespace skinbake {

// Converts positions [vertex][axis] from rig axes in place, each coordinate rounded once to float.
// Returns the largest magnitude of the converted coordinates; infinity if one is not finite.
float to_cache_axes(const CacheAxes& axes, float* positions, std::size_t vertex_count);

// Converts a stored position to rig axes.
inline Vec3<double> from_cache_axes(const CacheAxes& axes, const float* stored) {
  const double s = axes.scale;
  if (axes.up == CacheAxes::Up::kY) return {stored[0] / s, stored[1] / s, stored[2] / s};
  return {stored[0] / s, stored[2] / s, -stored[1] / s};
}

}  // namespace skinbake
