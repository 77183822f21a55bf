#include "rig/influences.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace skinbake;

namespace {

std::vector<Influence> appended(std::vector<Influence> listed) {
  Influences influences;
  WeightFindings findings;
  append_vertex(listed, influences, findings);
  return influences.influences;
}

}  // namespace

TEST_CASE("influences: a single joint gets the weight 1") {
  const auto result = appended({{3, 1}});
  REQUIRE(result.size() == 1);
  CHECK(result[0].joint == 3);
  CHECK(result[0].weight == 1);
}

TEST_CASE("influences: equal joints are added up, zeros are removed, the heaviest comes first") {
  const auto result = appended({{5, 0.25}, {2, 0.5}, {5, 0.25}, {7, 0}});
  REQUIRE(result.size() == 2);
  CHECK(result[0].joint == 2);  // a tie: the lower joint first
  CHECK(result[1].joint == 5);
  CHECK(result[1].weight == 0.5);
}

TEST_CASE("influences: sums that are not 1 are found") {
  Influences influences;
  WeightFindings findings;
  for (const double weight : {1.0, 0.5, 1.0, 0.0, 4.0}) {
    Influence one{0, weight};
    append_vertex({&one, 1}, influences, findings);
  }
  CHECK(findings.renormalised == 2);
  CHECK(findings.zero == 1);
  CHECK(findings.least_sum == 0.5);
  CHECK(findings.greatest_sum == 4);
}

TEST_CASE("influences: the position of the first listed joint is recorded") {
  Influences influences;
  WeightFindings findings;
  const auto append = [&](std::vector<Influence> listed) {
    append_vertex(listed, influences, findings);
  };
  append({{4, 0.75}, {5, 0.25}});
  CHECK(influences.first_listed.empty());  // the first listed joint is the heaviest
  append({{9, 0}, {4, 0.25}, {6, 0.25}, {5, 0.5}});
  append({{4, 0.25}, {5, 0.5}, {4, 0.25}});  // equal weights: the lower joint is first
  append({{7, 0}, {8, 0}});
  CHECK(influences.first_listed == std::vector<std::uint32_t>{0, 1, 0, 0});
}

TEST_CASE("influences: many influences of few joints are added up in any order") {
  std::mt19937 random(1);
  for (const std::size_t count : {5, 31, 32, 33, 200}) {
    std::vector<Influence> listed(count);
    std::vector<double> expected(9);
    double sum = 0;
    for (Influence& influence : listed) {
      influence = {static_cast<JointIndex>(random() % 9), static_cast<double>(1 + random() % 100)};
      expected[influence.joint] += influence.weight;
      sum += influence.weight;
    }
    const auto result = appended(listed);
    CHECK(result.size() <= 9);
    for (std::size_t i = 0; i < result.size(); ++i) {
      CHECK(result[i].weight == doctest::Approx(expected[result[i].joint] / sum));
      if (i > 0) CHECK(result[i - 1].weight >= result[i].weight);
    }
  }
}

TEST_CASE("influences: a weight that the division rounds to zero is removed") {
  CHECK(appended({{0, 1e300}, {1, 1e-300}}).size() == 1);
}

// Found by fuzzing: adding up 40 weights of one joint rounded differently from the total.
TEST_CASE("influences: merged weights sum to 1 within the rounding that validation allows") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Influence> listed(40);
    for (Influence& influence : listed) {
      influence = {static_cast<JointIndex>(random() % 2), static_cast<double>(random()) / 7};
    }
    double sum = 0;
    const auto result = appended(listed);
    for (const Influence& influence : result) sum += influence.weight;
    CHECK(std::abs(sum - 1) <= 4.5e-16 * static_cast<double>(result.size() + 1));
  }
}
