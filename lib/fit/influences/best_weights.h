// The best weights of one vertex on at most N of its candidate joints.
//
//     minimise   w^T G w + r |w - w0|^2      over w >= 0, sum w = 1, at most N of them not 0
//     G_jk = sum_f e_j(f) . e_k(f)           e_j(f) = M_j(f) u - p(f)
//
// M_j(f) is the skinning transform of joint j in frame f, u the rest position, p(f) the position
// to reach. Because the weights sum to 1, w^T G w is the sum of the squared distances of the
// blended point to p(f): the frames enter by the Gram matrix alone.
//
// The result is exact. A minimum of a convex function on a simplex is the minimum on the plane
// through some of its corners, and it lies inside them. All sets of at most N candidates are
// enumerated: on each, the minimum without the bounds w >= 0 is a linear system, and it counts if
// its weights are positive. The system is that of the differences to the first joint of the set,
// w_first = 1 - sum of the others, whose Cholesky factor grows by one row from set to set.

#pragma once

#include <array>
#include <cstddef>

namespace skinbake::fit {

inline constexpr std::size_t kMostCandidates = 16;

// Arrays are indexed by candidate.
struct WeightProblem {
  std::size_t count = 0;  // of candidates, 1 … kMostCandidates
  std::array<std::array<double, kMostCandidates>, kMostCandidates> gram{};  // symmetric
  std::array<double, kMostCandidates> prior{};                              // w0
  double ridge = 0;                                                         // r, at least 0
};

// Weights of the candidates; 0: not chosen.
using CandidateWeights = std::array<double, kMostCandidates>;

// Returns the best weights on at most `most` candidates. Of supports that are equal up to rounding
// the one with the earliest candidates counts, and of these the smallest. A candidate that moves
// as others of its set do, up to 3e-7 of the largest distance, is not added to them.
// Preconditions: most >= 1; all numbers are finite.
CandidateWeights best_weights(const WeightProblem& problem, std::size_t most);

// The value that best_weights minimises, at least 0.
double objective_of(const WeightProblem& problem, const CandidateWeights& weights);

}  // namespace skinbake::fit
