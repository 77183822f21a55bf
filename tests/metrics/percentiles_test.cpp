#include "metrics/position_error/percentiles.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace skinbake {
namespace {

std::array<float, 3> by_sorting(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](std::size_t p) {
    return values[std::max<std::size_t>((p * values.size() + 99) / 100, 1) - 1];
  };
  return {at(50), at(95), at(99)};
}

}  // namespace

TEST_CASE("percentiles: all percentiles of one value are that value") {
  PercentileSelector selector;
  CHECK(selector.select(std::vector<float>{2.5f}) == std::array<float, 3>{2.5f, 2.5f, 2.5f});
}

TEST_CASE("percentiles: nearest rank without interpolation") {
  PercentileSelector selector;
  std::vector<float> hundred;
  for (int i = 100; i > 0; --i) hundred.push_back(static_cast<float>(i));
  CHECK(selector.select(hundred) == std::array<float, 3>{50, 95, 99});
  CHECK(selector.select(std::vector<float>{1, 2}) == std::array<float, 3>{1, 2, 2});
  CHECK(selector.select(std::vector<float>{4, 3, 2, 1}) == std::array<float, 3>{2, 4, 4});
}

TEST_CASE("percentiles: agree with sorting for any size and distribution") {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  PercentileSelector selector;  // reused: no state of the previous row may remain
  for (const std::size_t size : {3, 511, 512, 513, 4099, 70001}) {
    std::vector<float> values(size);
    for (float& x : values) x = static_cast<float>(std::exp(4 * normal(random)));
    CHECK(selector.select(values) == by_sorting(values));
    for (float& x : values) x = random() % 3 == 0 ? 0.001f + 1e-6f * float(random() % 100) : 0.0f;
    CHECK(selector.select(values) == by_sorting(values));
    for (float& x : values) x = 1 + 1e-6f * static_cast<float>(random() % 1000);  // one bin
    CHECK(selector.select(values) == by_sorting(values));
    std::fill(values.begin(), values.end(), 0.0f);
    CHECK(selector.select(values) == by_sorting(values));
  }
}

}  // namespace skinbake
