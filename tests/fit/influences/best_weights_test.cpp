#include "fit/influences/vertex_fit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "support/random.h"

namespace skinbake::fit {
namespace {

// The value that best_weights minimises, at least 0.
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

// The distances e_j of each candidate: [candidate][number].
using Distances = std::vector<std::vector<double>>;

WeightProblem problem_of(const Distances& distances) {
  WeightProblem problem;
  problem.count = distances.size();
  for (std::size_t j = 0; j < problem.count; ++j) {
    for (std::size_t k = 0; k < problem.count; ++k) {
      for (std::size_t n = 0; n < distances[j].size(); ++n) {
        problem.gram[j][k] += distances[j][n] * distances[k][n];
      }
    }
  }
  return problem;
}

std::size_t chosen(const CandidateWeights& weights) {
  return static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [](double w) { return w != 0; }));
}

double sum(const CandidateWeights& weights) {
  double total = 0;
  for (const double w : weights) total += w;
  return total;
}

WeightProblem random_problem(std::uint64_t seed, std::size_t count) {
  test::Random random(seed);
  Distances distances(count, std::vector<double>(9));
  for (std::vector<double>& numbers : distances) {
    for (double& number : numbers) number = random.between(-1, 1);
  }
  WeightProblem problem = problem_of(distances);
  double total = 0;
  for (std::size_t c = 0; c < count; ++c) total += problem.prior[c] = random.between(0, 1);
  for (std::size_t c = 0; c < count; ++c) problem.prior[c] /= total;
  return problem;
}

// The minimum over weights on the candidates of `mask`, by projected gradients: no system of
// equations and no enumeration. Duchi, Shalev-Shwartz, Singer, Chandra. Efficient Projections onto
// the l1-Ball. 2008: the projection onto the simplex.
double least_by_gradients(const WeightProblem& problem, unsigned mask) {
  std::vector<std::size_t> set;
  for (std::size_t j = 0; j < problem.count; ++j) {
    if ((mask >> j & 1) != 0) set.push_back(j);
  }
  CandidateWeights weights{};
  for (const std::size_t j : set) weights[j] = 1.0 / static_cast<double>(set.size());
  double trace = problem.ridge;
  for (const std::size_t j : set) trace += problem.gram[j][j];
  for (int step = 0; step < 20000; ++step) {
    std::vector<double> moved;
    for (const std::size_t j : set) {
      double slope = problem.ridge * (weights[j] - problem.prior[j]);
      for (const std::size_t k : set) slope += problem.gram[j][k] * weights[k];
      moved.push_back(weights[j] - slope / trace);
    }
    std::vector<double> sorted = moved;
    std::sort(sorted.rbegin(), sorted.rend());
    double total = 0, shift = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      total += sorted[i];
      const double offered = (total - 1) / static_cast<double>(i + 1);
      if (sorted[i] > offered) shift = offered;
    }
    for (std::size_t i = 0; i < set.size(); ++i) weights[set[i]] = std::max(0.0, moved[i] - shift);
  }
  return objective_of(problem, weights);
}

}  // namespace

TEST_CASE("best weights: one candidate has all weight") {
  const CandidateWeights weights = best_weights(problem_of({{3, 4}}), 4);
  CHECK(weights[0] == 1);
  CHECK(objective_of(problem_of({{3, 4}}), weights) == 25);
}

TEST_CASE(
    "best weights: two candidates on both sides of the position share it by their distances") {
  const WeightProblem problem = problem_of({{1, 0}, {-3, 0}});
  const CandidateWeights weights = best_weights(problem, 2);
  CHECK(weights[0] == doctest::Approx(0.75).epsilon(1e-14));
  CHECK(weights[1] == doctest::Approx(0.25).epsilon(1e-14));
  CHECK(objective_of(problem, weights) < 1e-14);
  SUBCASE("and the nearer one has all weight if one is kept") {
    CHECK(best_weights(problem, 1)[0] == 1);
  }
}

TEST_CASE("best weights: a candidate on the far side of another is not used") {
  // The line through 1 and 3 passes the position 0 outside of both.
  const CandidateWeights weights = best_weights(problem_of({{3}, {1}}), 2);
  CHECK(weights[1] == 1);
  CHECK(weights[0] == 0);
}

TEST_CASE("best weights: candidates that move alike lose nothing if one of them is kept") {
  const std::vector<double> a{1, 2, -1}, b{-1, -2, 1};
  const WeightProblem problem = problem_of({a, b, a, b, a});
  const CandidateWeights weights = best_weights(problem, 2);
  CHECK(chosen(weights) == 2);
  CHECK(objective_of(problem, weights) < 1e-14);
}

TEST_CASE("best weights: a great ridge gives the weights nearest to those before") {
  WeightProblem problem = random_problem(7, 3);
  problem.prior = {0.5, 0.3, 0.2};
  problem.ridge = 1e9;
  const CandidateWeights weights = best_weights(problem, 2);
  // The projection onto the plane w_0 + w_1 = 1 adds the same to both.
  CHECK(weights[0] == doctest::Approx(0.6).epsilon(1e-6));
  CHECK(weights[1] == doctest::Approx(0.4).epsilon(1e-6));
  CHECK(weights[2] == 0);
}

TEST_CASE("best weights: no set of candidates is better, whichever way it is solved") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    WeightProblem problem = random_problem(seed, 5);
    problem.ridge = seed % 2 == 0 ? 0 : 0.5;
    const std::size_t most = 1 + seed % 4;
    const CandidateWeights weights = best_weights(problem, most);
    CHECK(chosen(weights) <= most);
    CHECK(sum(weights) == doctest::Approx(1).epsilon(1e-14));
    CHECK(*std::min_element(weights.begin(), weights.end()) >= 0);
    double least = objective_of(problem, weights) + 1;
    for (unsigned mask = 1; mask < 1U << problem.count; ++mask) {
      if (static_cast<std::size_t>(std::popcount(mask)) != most) continue;
      least = std::min(least, least_by_gradients(problem, mask));
    }
    CHECK(objective_of(problem, weights) == doctest::Approx(least).epsilon(1e-9));
  }
}

TEST_CASE("best weights: the weights of sixteen candidates meet the condition of the minimum") {
  // With as many influences as candidates no weight may be worth moving:
  // (G w)_j >= w^T G w, with equality where w_j > 0.
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const WeightProblem problem = random_problem(seed, kMostCandidates);
    const CandidateWeights weights = best_weights(problem, kMostCandidates);
    const double least = objective_of(problem, weights);
    for (std::size_t j = 0; j < problem.count; ++j) {
      double slope = 0;
      for (std::size_t k = 0; k < problem.count; ++k) slope += problem.gram[j][k] * weights[k];
      CHECK(slope >= least - 1e-12);
      if (weights[j] > 0) CHECK(slope <= least + 1e-12);
    }
  }
}

TEST_CASE("best weights: numbers that overflow give a valid vertex") {
  const WeightProblem problem = problem_of({{1e200, 1}, {-1e200, 1}, {1e300, 1}});
  const CandidateWeights weights = best_weights(problem, 2);
  CHECK(sum(weights) == 1);
}

}  // namespace skinbake::fit
