// The errors of one frame, from the sums of its tiles.

#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "metrics/kernels.h"

namespace skinbake {

// Mean and spread of points, in groups. Tony F. Chan, Gene H. Golub, Randall J. LeVeque. Updating
// Formulae and a Pairwise Algorithm for Computing Sample Variances. 1979.
struct Spread {
  double count = 0;
  std::array<double, 3> mean{};
  double squares = 0;  // sum of |x - mean|^2

  void add(const Spread& other) {
    const double total = count + other.count;
    double between = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double delta = other.mean[axis] - mean[axis];
      between += delta * delta;
      mean[axis] += delta * (other.count / total);
    }
    squares += other.squares + between * (count * other.count / total);
    count = total;
  }
};

// One frame, summed over vertices.
struct FrameError {
  double square = 0, distance = 0, max = -1, max_vertex = -1;
  Spread reference;
  std::array<double, 3> percentiles{};
  std::vector<std::int64_t> over;  // [limit]

  bool is_number() const { return !std::isnan(square); }

  // A tile of `count` vertices.
  void add(const ErrorSums& tile, VertexIndex count, std::size_t lane) {
    square += tile.square[lane];
    distance += tile.distance[lane];
    if (tile.max[lane] > max) {
      max = tile.max[lane];
      max_vertex = tile.max_vertex[lane];
    }
    Spread spread{static_cast<double>(count), {}, tile.spread[lane]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double offset = tile.offset[axis][lane] / spread.count;
      spread.mean[axis] = tile.first[axis][lane] + offset;
      spread.squares -= offset * offset * spread.count;
    }
    reference.add(spread);
  }
};

}  // namespace skinbake
