#include "caches/kernels/kernels.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "math/half.h"
#include "support/targets.h"

namespace skinbake {
namespace {

// Every finite half, the middle between it and the next, and the floats beside the middle.
std::vector<float> test_numbers() {
  std::vector<float> numbers;
  for (std::uint16_t bits = 0; bits < kInfiniteHalf; ++bits) {
    const float half = from_half(bits);
    const float next = bits + 1u == kInfiniteHalf ? 65536 : from_half(bits + 1u);
    const float middle = (half + next) / 2;
    for (const float x :
         {half, std::nextafter(middle, half), middle, std::nextafter(middle, next)}) {
      numbers.insert(numbers.end(), {x, -x});
    }
  }
  const float largest = std::numeric_limits<float>::max();
  numbers.insert(numbers.end(),
                 {1e-40F, 70000, largest, -largest, std::numeric_limits<float>::infinity()});
  return numbers;
}

}  // namespace

TEST_CASE("halves: every instruction set rounds rows as to_half rounds single numbers") {
  const std::vector<float> numbers = test_numbers();
  test::for_each_simd_target([&](const std::string&) {
    std::vector<std::uint16_t> halves(numbers.size());
    round_to_halves(numbers.data(), numbers.size(), halves.data());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) wrong += halves[i] != to_half(numbers[i]);
    CHECK(wrong == 0);
  });
}

TEST_CASE("halves: the largest magnitude is returned, infinity if a half is infinite") {
  test::for_each_simd_target([](const std::string&) {
    for (const std::size_t count : {1, 3, 16, 17, 40}) {
      std::vector<std::uint16_t> halves(count);
      std::vector<float> numbers(count, -1);
      numbers.back() = -65519;
      CHECK(round_to_halves(numbers.data(), count, halves.data()) == 65519);
      CHECK(halves.back() == 0xfbff);
      numbers.back() = 65520;
      CHECK(std::isinf(round_to_halves(numbers.data(), count, halves.data())));
    }
  });
}

}  // namespace skinbake
