// The smallest box around points.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace skinbake {

struct Box {
  static constexpr float kNothing = std::numeric_limits<float>::infinity();
  std::array<float, 3> min{kNothing, kNothing, kNothing};
  std::array<float, 3> max{-kNothing, -kNothing, -kNothing};

  bool is_empty() const { return min[0] > max[0]; }

  void add(const float* point) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      min[axis] = std::min(min[axis], point[axis]);
      max[axis] = std::max(max[axis], point[axis]);
    }
  }

  void add(const Box& other) {
    add(other.min.data());
    add(other.max.data());
  }
};

}  // namespace skinbake
