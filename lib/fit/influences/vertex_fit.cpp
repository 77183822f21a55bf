// The best weights of a vertex, and the fit of its influences.

#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/influences/vertex_fit.h"
#include "rig/influences.h"

namespace skinbake::fit {

namespace {

// Pivots of the Cholesky factor below this part of the largest element of G are rounding errors.
constexpr double kSameMotion = 1e-13;
// A larger set must lower the objective by more than this part of the largest element of G.
constexpr double kTie = 1e-14;

// Depth-first over all sets of ascending candidates.
class SupportSearch {
 public:
  SupportSearch(const WeightProblem& problem, std::size_t most)
      : problem_(problem), most_(std::min(most, problem.count)) {
    for (std::size_t j = 0; j < problem.count; ++j) scale_ = std::max(scale_, quadratic(j, j));
  }

  CandidateWeights best() {
    best_[0] = 1;  // stays if the objective of every set overflows
    for (std::size_t first = 0; first < problem_.count; ++first) {
      set_[0] = first;
      size_ = 1;
      offer(quadratic(first, first) - 2 * linear(first));
      extend(quadratic(first, first) - 2 * linear(first));
    }
    return best_;
  }

 private:
  double quadratic(std::size_t j, std::size_t k) const {
    return problem_.gram[j][k] + (j == k ? problem_.ridge : 0);
  }
  double linear(std::size_t j) const { return problem_.ridge * problem_.prior[j]; }

  // Adds each later candidate to the set. `least`: the minimum on the plane of the set, without
  // the constant r |w0|^2.
  void extend(double least) {
    if (size_ == most_) return;
    for (std::size_t j = set_[size_ - 1] + 1; j < problem_.count; ++j) {
      if (!append(j)) continue;
      const double y = forward_[size_ - 1];
      const double lower = least - y * y;
      offer(lower);
      extend(lower);
      --size_;
    }
  }

  // Appends a row to the factor: the differences of candidate j to the first of the set.
  bool append(std::size_t j) {
    const std::size_t first = set_[0], row = size_;
    double right = quadratic(first, first) - quadratic(j, first) + linear(j) - linear(first);
    double pivot = quadratic(j, j) - 2 * quadratic(j, first) + quadratic(first, first);
    for (std::size_t i = 1; i < row; ++i) {
      const std::size_t k = set_[i];
      double sum =
          quadratic(j, k) - quadratic(j, first) - quadratic(k, first) + quadratic(first, first);
      for (std::size_t m = 1; m < i; ++m) sum -= factor_[row][m] * factor_[i][m];
      factor_[row][i] = sum / factor_[i][i];
      pivot -= factor_[row][i] * factor_[row][i];
      right -= factor_[row][i] * forward_[i];
    }
    if (!(pivot > kSameMotion * scale_)) return false;
    factor_[row][row] = std::sqrt(pivot);
    forward_[row] = right / factor_[row][row];
    set_[row] = j;
    ++size_;
    return true;
  }

  // Keeps the minimum of the set if it is the lowest and inside the set's corners.
  void offer(double least) {
    if (!(least < lowest_ - kTie * scale_)) return;
    CandidateWeights weights{};
    double others = 0;
    std::array<double, kMostCandidates> x{};
    for (std::size_t i = size_ - 1; i >= 1; --i) {
      double sum = forward_[i];
      for (std::size_t m = i + 1; m < size_; ++m) sum -= factor_[m][i] * x[m];
      x[i] = sum / factor_[i][i];
      if (!(x[i] > 0)) return;
      others += x[i];
      weights[set_[i]] = x[i];
    }
    if (!(others < 1)) return;
    weights[set_[0]] = 1 - others;
    lowest_ = least;
    best_ = weights;
  }

  const WeightProblem& problem_;
  std::size_t most_;
  double scale_ = 0;
  std::array<std::size_t, kMostCandidates> set_{};  // ascending
  std::size_t size_ = 0;
  // Rows and columns from 1: of the set without its first.
  std::array<std::array<double, kMostCandidates>, kMostCandidates> factor_{};
  std::array<double, kMostCandidates> forward_{};  // the factor's solution of the right side
  double lowest_ = std::numeric_limits<double>::infinity();
  CandidateWeights best_{};
};

}  // namespace

CandidateWeights best_weights(const WeightProblem& problem, std::size_t most) {
  return SupportSearch(problem, most).best();
}

namespace {

constexpr std::size_t kAxesOfPoint = 3;

// The sum of the products of two rows, by four sums that compilers can keep in registers.
double product(const double* a, const double* b, std::size_t count) {
  constexpr std::size_t kSums = 4;
  double sums[kSums] = {};
  std::size_t f = 0;
  for (; f + kSums <= count; f += kSums) {
    for (std::size_t s = 0; s < kSums; ++s) sums[s] += a[f + s] * b[f + s];
  }
  for (std::size_t s = 0; f < count; ++f, ++s) sums[s] += a[f] * b[f];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

std::vector<Influence> influences_of(std::span<const Influence> candidates,
                                     const CandidateWeights& weights) {
  std::vector<Influence> chosen;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (weights[c] > 0) chosen.push_back({candidates[c].joint, weights[c]});
  }
  double sum = 0;
  for (const Influence& i : chosen) sum += i.weight;
  for (Influence& i : chosen) i.weight /= sum;
  sort_descending(chosen);
  return chosen;
}

CandidateWeights largest_weights(std::span<const Influence> candidates, std::size_t most) {
  CandidateWeights weights{};
  const std::size_t count = std::min(candidates.size(), most);
  double sum = 0;
  for (std::size_t c = 0; c < count; ++c) sum += candidates[c].weight;
  for (std::size_t c = 0; c < count; ++c) weights[c] = candidates[c].weight / sum;
  return weights;
}

}  // namespace

VertexFitter::VertexFitter(const Rig& rig, const TrainingFrames& frames,
                           const VertexFitOptions& options)
    : rig_(rig),
      frames_(frames),
      options_(options),
      rest_(kAxesOfPoint * frames.frame_count),
      target_(kAxesOfPoint * frames.frame_count),
      weighted_(options.frame_weights.empty() ? 0 : rest_.size()),
      distances_(kMostCandidates * kAxesOfPoint * frames.frame_count),
      distance_(frames.frame_count),
      squares_(frames.frame_count),
      grams_(frames.parts.size() + 1) {}

void VertexFitter::set_distances(std::span<const Influence> all, std::span<const double> target) {
  const std::size_t numbers = kAxesOfPoint * frames_.frame_count;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    move_positions(frames_.matrices(candidates_[c].joint), frames_.frame_count, rest_.data(),
                   row(c));
  }
  if (target.empty()) {
    std::fill(target_.begin(), target_.end(), 0);
    std::vector<double> moved(all.size() > kMostOwnCandidates ? numbers : 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double* from = i < kMostOwnCandidates ? row(i) : moved.data();
      if (i >= kMostOwnCandidates) {
        move_positions(frames_.matrices(all[i].joint), frames_.frame_count, rest_.data(),
                       moved.data());
      }
      for (std::size_t n = 0; n < numbers; ++n) target_[n] += all[i].weight * from[n];
    }
    target = target_;
  }
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    double* const to = row(c);
    for (std::size_t n = 0; n < numbers; ++n) to[n] -= target[n];
  }
}

void VertexFitter::add_to_gram(const FrameSpan& span, Gram& gram) {
  const std::size_t n = frames_.frame_count;
  for (std::size_t j = 0; j < candidates_.size(); ++j) {
    const double* mine = row(j);
    if (!options_.frame_weights.empty()) {
      for (std::size_t axis = 0; axis < kAxesOfPoint; ++axis) {
        const double* const from = mine + axis * n;
        double* const to = weighted_.data() + axis * n;
        for (std::size_t f = 0; f < n; ++f) to[f] = from[f] * options_.frame_weights[f];
      }
      mine = weighted_.data();
    }
    for (std::size_t k = 0; k <= j; ++k) {
      double sum = 0;
      for (std::size_t axis = 0; axis < kAxesOfPoint; ++axis) {
        const std::size_t at = axis * n + span.begin;
        sum += product(mine + at, row(k) + at, span.size());
      }
      gram[j][k] += sum;
      if (j != k) gram[k][j] += sum;
    }
  }
}

CandidateWeights VertexFitter::solve(const Gram& gram) const {
  WeightProblem problem;
  problem.count = candidates_.size();
  problem.gram = gram;
  double trace = 0;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    problem.prior[c] = candidates_[c].weight;
    trace += gram[c][c];
  }
  const double least = options_.negligible_m * options_.negligible_m;
  problem.ridge = options_.ridge * trace / static_cast<double>(candidates_.size()) +
                  least * static_cast<double>(frames_.frame_count);
  return best_weights(problem, options_.most);
}

// Frame by frame in the innermost loops, so that compilers use vectors of frames.
SquaredErrors VertexFitter::errors(const CandidateWeights& weights, const FrameSpan& span) {
  double *const distance = distance_.data(), *const squares = squares_.data();
  const std::size_t count = span.size();
  std::fill_n(squares, count, 0.0);
  for (std::size_t axis = 0; axis < kAxesOfPoint; ++axis) {
    std::fill_n(distance, count, 0.0);
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const double weight = weights[c];
      if (!(weight > 0)) continue;
      const double* const from = row(c) + axis * frames_.frame_count + span.begin;
      for (std::size_t f = 0; f < count; ++f) distance[f] += weight * from[f];
    }
    for (std::size_t f = 0; f < count; ++f) squares[f] += distance[f] * distance[f];
  }
  SquaredErrors errors;
  for (std::size_t f = 0; f < count; ++f) errors.add({squares[f], squares[f]});
  return errors;
}

// Fits to all but one part, and measures on the part.
void VertexFitter::leave_out(const CandidateWeights& largest, VertexFit& fit) {
  for (std::size_t p = 0; p < frames_.parts.size(); ++p) {
    Gram others{};
    for (std::size_t q = 0; q < grams_.size(); ++q) {
      if (q == p) continue;
      for (std::size_t j = 0; j < candidates_.size(); ++j) {
        for (std::size_t k = 0; k < candidates_.size(); ++k) others[j][k] += grams_[q][j][k];
      }
    }
    fit.chosen.left_out.add(errors(solve(others), frames_.parts[p]));
    fit.largest.left_out.add(errors(largest, frames_.parts[p]));
  }
}

bool VertexFitter::is_fit_nearer(const VertexFit& fit) const {
  if (options_.keep_largest == KeepLargest::kNever || !frames_.can_leave_out()) {
    return fit.chosen.trained.sum < fit.largest.trained.sum;
  }
  return fit.chosen.left_out.sum < fit.largest.left_out.sum;
}

VertexFit VertexFitter::fit(VertexIndex v, std::span<const double> target,
                            std::span<const JointIndex> more) {
  const std::span<const Influence> all = rig_.influences_of(v);
  VertexFit fit;
  if (target.empty() && all.size() <= options_.most) {
    fit.influences.assign(all.begin(), all.end());
    return fit;
  }
  const std::span<const Influence> own = all.first(std::min(all.size(), kMostOwnCandidates));
  candidates_.assign(own.begin(), own.end());
  for (const JointIndex joint : more) candidates_.push_back({joint, 0});
  rest_positions(rig_, frames_, v, rest_.data());
  set_distances(all, target);
  Gram total{};
  for (std::size_t p = 0; p < grams_.size(); ++p) {
    const FrameSpan span = p < frames_.parts.size() ? frames_.parts[p] : frames_.always;
    grams_[p] = {};
    add_to_gram(span, grams_[p]);
    for (std::size_t j = 0; j < candidates_.size(); ++j) {
      for (std::size_t k = 0; k < candidates_.size(); ++k) total[j][k] += grams_[p][j][k];
    }
  }
  const FrameSpan whole{0, frames_.frame_count};
  if (all.size() <= options_.most && options_.negligible_m > 0) {
    const SquaredErrors own_errors = errors(largest_weights(all, options_.most), whole);
    if (own_errors.greatest <= options_.negligible_m * options_.negligible_m) {
      fit.chosen = fit.largest = {own_errors, own_errors};
      fit.influences.assign(all.begin(), all.end());
      return fit;
    }
  }
  const CandidateWeights best = solve(total);
  fit.chosen.trained = errors(best, whole);
  if (!options_.keep_largest) {
    fit.is_fitted = true;
    fit.influences = influences_of(candidates_, best);
    return fit;
  }
  const CandidateWeights largest = largest_weights(all, options_.most);
  fit.largest.trained = errors(largest, whole);
  if (frames_.can_leave_out()) leave_out(largest, fit);
  fit.is_fitted = is_fit_nearer(fit);
  if (!fit.is_fitted) fit.chosen = fit.largest;
  fit.influences = influences_of(candidates_, fit.is_fitted ? best : largest);
  return fit;
}

}  // namespace skinbake::fit
