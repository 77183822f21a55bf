// The difference of two rows of vectors.

#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace skinbake {

// Along each axis; of nothing, infinite the wrong way round.
struct VectorRange {
  std::array<float, 3> low{std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::infinity()};
  std::array<float, 3> high{-low[0], -low[1], -low[2]};
};

struct RowDifference {
  VectorRange range;      // of all differences
  std::size_t moved = 0;  // vectors that are not 0 in every axis
};

// row -= base, rounded once; both [vector][axis].
RowDifference subtract_row(const float* base, float* row, std::size_t vectors);

}  // namespace skinbake
