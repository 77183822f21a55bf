// Fits the influences of one vertex to the positions that it should reach.
//
// The candidates are the twelve largest influences of the vertex. best_weights.h finds the weights
// on at most N of them with
//
//     r = ridge (sum_j G_jj) / count      G_jj: how far candidate j alone is from the positions
//
// so that the pull towards the vertex's own weights has no unit and is the same for slow and fast
// vertices. The N largest influences, divided by their sum, are kept if they are nearer to the
// positions that a fit has not learned from: each part of the frames is left out in turn, the
// weights are fitted to the rest, and measured on the part.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fit/influences/best_weights.h"
#include "fit/training.h"
#include "skinbake/fit_influences.h"

namespace skinbake::fit {

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

  // `target`: the positions to reach, [axis][frame], scene space; empty: those that all influences
  // of the vertex give by linear blending. A vertex with no more influences than `most` then keeps
  // them. `more`: joints that are candidates beside the own ones, at most kMostAdded.
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
  std::vector<Gram> grams_;  // [part], and that of the frames that are always trained
};

}  // namespace skinbake::fit
