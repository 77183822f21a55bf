#include "fit/quantized.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/random.h"

namespace skinbake::fit {
namespace {

// Two targets of ten vertices whose largest coordinate is `size`, with two frames of keys.
CorrectiveSearch::Result correctives_of(double size, const std::vector<float>& positions) {
  test::Random random(3);
  CorrectiveSearch::Result result;
  for (int k = 0; k < 2; ++k) {
    MorphTarget target;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      target.positions.push_back(static_cast<float>(random.between(-size, size)));
    }
    target.positions[static_cast<std::size_t>(k)] = static_cast<float>(size);
    result.morphs.targets.push_back(std::move(target));
  }
  result.morphs.rest_weights = {0.25f, 0.75f};
  result.keys = {0, 1, 1, 0.5f};
  return result;
}

double moved(const CorrectiveSearch::Result& of, std::size_t frame, std::size_t i) {
  double sum = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    sum += double{of.keys[frame * 2 + k]} * double{of.morphs.targets[k].positions[i]};
  }
  return sum;
}

}  // namespace

TEST_CASE(
    "quantised correctives: displacements move by half a step at most, weights stay in 0 … 1") {
  const std::vector<float> positions(30, 0.5f);
  for (const double size : {0.003, 1.0, 80.0}) {
    for (const int bits : {8, 12, 16}) {
      CAPTURE(size);
      CAPTURE(bits);
      const CorrectiveSearch::Result exact = correctives_of(size, positions);
      CorrectiveSearch::Result rounded = exact;
      quantize_correctives(positions, bits, rounded);
      const double step = size / ((1 << (bits - 1)) - 1);
      for (const float weight : rounded.keys) CHECK((weight >= 0 && weight <= 1));
      for (std::size_t f = 0; f < 2; ++f) {
        for (std::size_t i = 0; i < positions.size(); ++i) {
          // Two targets are rounded, and keys to float32.
          REQUIRE(std::abs(moved(rounded, f, i) - moved(exact, f, i)) <= step + 1e-6 * size);
        }
      }
    }
  }
}

TEST_CASE("quantised correctives: numbers are whole multiples on the grid of their bits") {
  const std::vector<float> positions(30, 0.0f);
  for (const auto& [size, unit] : {std::pair{0.5, 32767.0}, {5.0, 1.0}}) {
    CorrectiveSearch::Result rounded = correctives_of(size, positions);
    quantize_correctives(positions, 12, rounded);
    double largest = 0;
    for (const float value : rounded.morphs.targets[1].positions) {
      const double number = std::round(double{value} * unit);
      CHECK(static_cast<float>(number / unit) == value);
      CHECK(std::fmod(number, 16) == 0);
      largest = std::max(largest, std::abs(number));
    }
    CHECK(largest == 2047 * 16);
  }
}

TEST_CASE("quantised correctives: the rest stays where it was") {
  const std::vector<float> positions(30, 0.5f);
  CorrectiveSearch::Result rounded = correctives_of(0.2, positions);
  quantize_correctives(positions, 16, rounded);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    double rest = double{rounded.morphs.base_positions[i]};
    for (std::size_t k = 0; k < 2; ++k) {
      rest +=
          double{rounded.morphs.rest_weights[k]} * double{rounded.morphs.targets[k].positions[i]};
    }
    CHECK(std::abs(rest - 0.5) < 1e-7);
  }
}

TEST_CASE("quantised correctives: displacements beyond int16 stay floats") {
  const std::vector<float> positions(30, 0.0f);
  const CorrectiveSearch::Result exact = correctives_of(1e6, positions);
  CorrectiveSearch::Result same = exact;
  quantize_correctives(positions, 16, same);
  CHECK(same.morphs.targets[0].positions == exact.morphs.targets[0].positions);
  CHECK(same.keys == exact.keys);
}

TEST_CASE("quantised influences: weights are multiples of 1 / 65535 whose sum is 1") {
  RigChanges changes;
  changes.first_influence = {0, 3, 4};
  changes.influences = {{0, 0.5}, {1, 0.3}, {2, 0.2}, {1, 1}};
  quantize_influences(changes);
  REQUIRE(changes.first_influence == std::vector<std::uint32_t>{0, 3, 4});
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double units = changes.influences[static_cast<std::size_t>(i)].weight * 65535;
    CHECK(std::abs(units - std::round(units)) < 1e-9);
    sum += std::round(units);
  }
  CHECK(sum == 65535);
  CHECK(changes.influences[3].weight == 1);
}

}  // namespace skinbake::fit
