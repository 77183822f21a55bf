#include "caches/kernels/kernels.h"

#include <doctest/doctest.h>

#include <vector>

#include "support/targets.h"

namespace skinbake {

TEST_CASE("row difference: it equals that of a plain loop, for any length and instruction set") {
  test::for_each_simd_target([](const std::string&) {
    for (const std::size_t vectors : {1, 3, 5, 15, 16, 17, 32, 49, 100}) {
      std::vector<float> base(3 * vectors), row(3 * vectors), expected(3 * vectors);
      RowDifference plain;
      for (std::size_t i = 0; i < base.size(); ++i) {
        base[i] = static_cast<float>(i) / 4 - 5;
        const std::size_t vector = i / 3;
        // Every fourth vector stays; the others move along one axis only.
        const bool moves = vector % 4 != 0 && vector % 3 == i % 3;
        row[i] = base[i] + (moves ? static_cast<float>(vector) - 8 : 0);
        expected[i] = row[i] - base[i];
        plain.bounds.add(i % 3, expected[i]);
        plain.moved += expected[i] != 0 ? 1 : 0;
      }
      const RowDifference difference = subtract_row(base.data(), row.data(), vectors);
      CAPTURE(vectors);
      CHECK(row == expected);
      CHECK(difference.bounds.min == plain.bounds.min);
      CHECK(difference.bounds.max == plain.bounds.max);
      CHECK(difference.moved == plain.moved);
    }
  });
}

}  // namespace skinbake
