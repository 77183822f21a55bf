// The difference of two rows of vectors.

#pragma once

#include <cstddef>

#include "math/bounds.h"

namespace skinbake {

struct RowDifference {
  Box bounds;             // of all differences
  std::size_t moved = 0;  // differences that are not zero
};

// Computes row -= base, rounded once; both are [vector][axis].
RowDifference subtract_row(const float* base, float* row, std::size_t vectors);

}  // namespace skinbake
