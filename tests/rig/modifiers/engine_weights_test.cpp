#include "rig/influences.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/random.h"

namespace skinbake {
namespace {

std::vector<Influence> influences(const std::vector<double>& weights) {
  std::vector<Influence> made;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    made.push_back({static_cast<JointIndex>(i), weights[i]});
  }
  return made;
}

std::vector<Influence> quantized(const std::vector<double>& weights, int levels) {
  std::vector<Influence> mine = influences(weights);
  quantize_weights(levels, mine);
  return mine;
}

// [i] The integer weight of joint i; 0: its influence was removed.
std::vector<long> integers(const std::vector<double>& weights, int levels) {
  std::vector<long> found(weights.size());
  for (const Influence& i : quantized(weights, levels)) {
    found[i.joint] = std::lround(i.weight * levels);
  }
  return found;
}

using Integers = std::vector<long>;

std::vector<double> random_weights(test::Random& random, int count) {
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += weights.emplace_back(random.between(1e-4, 1));
  for (double& w : weights) w /= sum;
  std::sort(weights.rbegin(), weights.rend());
  return weights;
}

}  // namespace

TEST_CASE("keep largest: not more than the limit are kept bit by bit") {
  std::vector<Influence> mine = influences({0.7, 0.1 + 0.2});
  keep_largest(2, mine);
  CHECK(mine[0].weight == 0.7);
  CHECK(mine[1].weight == 0.1 + 0.2);
}

TEST_CASE("keep largest: the kept weights are divided by their sum") {
  std::vector<Influence> mine = influences({0.5, 0.25, 0.15, 0.1});
  keep_largest(2, mine);
  REQUIRE(mine.size() == 2);
  CHECK(mine[0].weight == 0.5 / 0.75);
  CHECK(mine[1].weight == 0.25 / 0.75);
  keep_largest(1, mine);
  REQUIRE(mine.size() == 1);
  CHECK(mine[0].joint == 0);
  CHECK(mine[0].weight == 1);
}

TEST_CASE("quantise: one influence gets all levels, two equal ones differ by one") {
  CHECK(integers({1}, 255) == Integers{255});
  CHECK(integers({0.5, 0.5}, 255) == Integers{128, 127});  // a tie: the earlier influence wins
  CHECK(integers({0.5, 0.5}, 65535) == Integers{32768, 32767});
}

TEST_CASE("quantise: the remainder goes to the largest fractions") {
  // 0.5 * 255 = 127.5, 0.3 * 255 = 76.5, 0.2 * 255 = 51: one unit remains, and the fractions tie.
  CHECK(integers({0.5, 0.3, 0.2}, 255) == Integers{128, 76, 51});
  // 178.5, 51.0, 25.5
  CHECK(integers({0.7, 0.2, 0.1}, 255) == Integers{179, 51, 25});
  // 89.25, 63.75, 58.65, 43.35: two units remain, for the second and the third.
  CHECK(integers({0.35, 0.25, 0.23, 0.17}, 255) == Integers{89, 64, 59, 43});
  // A third of 255 is an integer. A seventh is 36.43: three units remain.
  CHECK(integers({1.0 / 3, 1.0 / 3, 1.0 / 3}, 255) == Integers{85, 85, 85});
  const double seventh = 1.0 / 7;
  CHECK(integers({seventh, seventh, seventh, seventh, seventh, seventh, seventh}, 255) ==
        Integers{37, 37, 37, 36, 36, 36, 36});
}

TEST_CASE("quantise: fractions within 1e-9 are ties, which the earlier influence wins") {
  const double tiny = 1e-10 / 255, small = 1e-8 / 255;
  CHECK(integers({0.5 - tiny, 0.3 + tiny, 0.2}, 255) == Integers{128, 76, 51});
  CHECK(integers({0.5 - small, 0.3 + small, 0.2}, 255) == Integers{127, 77, 51});
}

TEST_CASE("quantise: influences whose weights become zero are removed") {
  CHECK(quantized({0.999, 0.001}, 255).size() == 1);
  CHECK(quantized({0.999, 0.001}, 65535).size() == 2);
  const std::vector<double> many(1000, 1e-3);
  const std::vector<Influence> left = quantized(many, 255);
  CHECK(left.size() == 255);  // 0.255 each: the first 255 get one unit
  CHECK(left.back().joint == 254);
}

TEST_CASE("quantise: the sum is 1, changes are below one level, a second pass changes nothing") {
  test::Random random(7);
  for (const int levels : {255, 65535}) {
    for (int i = 0; i < 300; ++i) {
      const std::vector<double> weights = random_weights(random, 1 + random.below(12));
      const std::vector<Influence> once = quantized(weights, levels);
      long sum = 0;
      for (const Influence& influence : once) {
        sum += std::lround(influence.weight * levels);
        CHECK(std::abs(influence.weight - weights[influence.joint]) < 1.0 / levels);
      }
      CHECK(sum == levels);
      std::vector<Influence> twice = once;
      quantize_weights(levels, twice);
      REQUIRE(twice.size() == once.size());
      for (std::size_t k = 0; k < once.size(); ++k) {
        CHECK(twice[k].joint == once[k].joint);
        CHECK(twice[k].weight == once[k].weight);
      }
    }
  }
}

}  // namespace skinbake
