// The moments of smoothed_moments.h as the numbers that method `ddm` keeps of each vertex.

#pragma once

#include <cstddef>
#include <cstdint>

#include "methods/method.h"

namespace skinbake {

// How they lie in Bound. A vertex's first entry is of the neighbourhood: the index is
// the joint of greatest weight; p, then what is named below. Each of the others is of a joint: the
// second moment about its own centre e_ij = p + x_ij / w_ij, Q_ij - x_ij x_ij^T / w_ij, as
// xx xy xz yy yz zz, then what is named below.
inline constexpr std::uint32_t kNumbersPerMoment = 13;
inline constexpr std::size_t kPerSize = 3;  // 1 / sum_j tr Q_ij; 0: there is no size
inline constexpr std::size_t kLeast = 4;    // the least |S| over that size that counts
inline constexpr std::size_t kFirst = 6, kWeight = 9, kCentre = 10;  // of a joint: x_ij w_ij e_ij

// The parameters of `ddm`.
struct MomentParameter {
  enum Parameter { kVariant, kLambda, kKappa, kSteps, kAlpha, kLaplacian, kPrune };
};

Bound bind_smoothed_moments(const BindInput& input);

}  // namespace skinbake
