#include "fit/influences/best_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

double objective_of(const WeightProblem& problem, const CandidateWeights& weights) {
  double sum = 0;
  for (std::size_t j = 0; j < problem.count; ++j) {
    const double change = weights[j] - problem.prior[j];
    sum += problem.ridge * change * change;
    for (std::size_t k = 0; k < problem.count; ++k) {
      sum += weights[j] * problem.gram[j][k] * weights[k];
    }
  }
  return std::max(sum, 0.0);
}

}  // namespace skinbake::fit
