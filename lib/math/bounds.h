// Axis-aligned bounds of points.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace skinbake {

// The smallest axis-aligned box around the points that were added. An empty box has min = infinity
// and max = -infinity, so that adding needs no special case.
struct Box {
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::array<float, 3> min{kInfinity, kInfinity, kInfinity};
  std::array<float, 3> max{-kInfinity, -kInfinity, -kInfinity};

  // point: [axis]
  void add(const float* point) {
    for (std::size_t axis = 0; axis < 3; ++axis) add(axis, point[axis]);
  }

  // One coordinate of a point.
  void add(std::size_t axis, float x) {
    min[axis] = std::min(min[axis], x);
    max[axis] = std::max(max[axis], x);
  }

  // Precondition: `other` is not empty.
  void add(const Box& other) {
    add(other.min.data());
    add(other.max.data());
  }
};

}  // namespace skinbake
