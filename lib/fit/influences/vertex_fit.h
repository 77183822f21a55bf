// The influences of one vertex that bring it nearest to its targets.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fit/training.h"
#include "skinbake/fit.h"

namespace skinbake::fit {

// ---- The best weights of one vertex on at most N of its candidate joints.
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
// its weights are positive. The system has the differences to the first joint of the set,
// w_first = 1 - sum of the others. Its Cholesky factor grows by one row from set to set.

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

// ---- Fits the influences of one vertex to the positions that it should reach.
//
// The candidates are the twelve largest influences of the vertex. best_weights() finds the weights
// on at most N of them with
//
//     r = ridge (sum_j G_jj) / count      G_jj: how far candidate j alone is from the positions
//
// so that the pull towards the vertex's own weights has no unit and is the same for slow and fast
// vertices. The N largest influences, divided by their sum, are kept if they are nearer to the
// positions that a fit has not learned from: each part of the frames is left out in turn, the
// weights are fitted to the rest, and measured on the part.

inline constexpr std::size_t kMostOwnCandidates = 12;
inline constexpr std::size_t kMostAdded = kMostCandidates - kMostOwnCandidates;

// Distances over frames: the sum of their squares, and the square of the greatest.
struct SquaredErrors {
  double sum = 0, greatest = 0;

  void add(const SquaredErrors& other) {
    sum += other.sum;
    greatest = greatest < other.greatest ? other.greatest : greatest;
  }
};

// The errors of one set of influences, or of a procedure that chooses one.
struct FitErrorsOfVertex {
  SquaredErrors trained;   // on all frames, learned from all
  SquaredErrors left_out;  // on each part, learned from the others
};

struct VertexFit {
  std::vector<Influence> influences;  // meet the conditions of Rig
  bool is_fitted = false;             // false: the largest influences are kept
  FitErrorsOfVertex chosen, largest;  // largest: zeros if they are not compared
};

// How a vertex is fitted.
struct VertexFitOptions {
  std::size_t most = 4;  // influences, 1 or more
  double ridge = 0;
  // None: the weights that are fitted are taken, and not compared with the largest influences.
  std::optional<KeepLargest> keep_largest = KeepLargest::kWhereNearer;
  std::span<const double> frame_weights = {};  // [frame] of squared distances; empty: all are 1
  // A vertex with no more than `most` influences keeps them if they come so near to the target in
  // every frame; smaller differences between joints do not change weights. Metres.
  double negligible_m = 0;
};

// Fits vertices one after the other. Not thread-safe; each thread uses its own.
class VertexFitter {
 public:
  // The rig and the frames must outlive the fitter.
  VertexFitter(const Rig& rig, const TrainingFrames& frames, const VertexFitOptions& options);

  // `target`: the positions to reach, [axis][frame], scene space; empty: linear blending with all
  // influences of the vertex. Then a vertex with no more influences than `most` keeps them.
  // `more`: candidates beside the joints of the vertex, at most kMostAdded.
  VertexFit fit(VertexIndex v, std::span<const double> target = {},
                std::span<const JointIndex> more = {});

 private:
  using Gram = std::array<std::array<double, kMostCandidates>, kMostCandidates>;

  void set_distances(std::span<const Influence> all, std::span<const double> target);
  void add_to_gram(const FrameSpan& span, Gram& gram);
  CandidateWeights solve(const Gram& gram) const;
  SquaredErrors errors(const CandidateWeights& weights, const FrameSpan& span);
  bool is_fit_nearer(const VertexFit& fit) const;
  void leave_out(const CandidateWeights& largest, VertexFit& fit);
  double* row(std::size_t candidate) {
    return distances_.data() + candidate * 3 * frames_.frame_count;
  }
  const double* row(std::size_t candidate) const {
    return distances_.data() + candidate * 3 * frames_.frame_count;
  }

  const Rig& rig_;
  const TrainingFrames& frames_;
  VertexFitOptions options_;
  std::vector<Influence> candidates_;       // with the weights before the fit
  std::vector<double> rest_, target_;       // [axis][frame]
  std::vector<double> weighted_;            // [axis][frame] a row of distances_ times frame_weights
  std::vector<double> distances_;           // [candidate][axis][frame]: M u - p
  std::vector<double> distance_, squares_;  // [frame] of the blended point, in errors()
  std::vector<Gram> grams_;  // [part], then one for the frames that are always trained
};

}  // namespace skinbake::fit
