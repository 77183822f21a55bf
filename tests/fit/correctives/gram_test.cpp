#include "fit/correctives/residuals.h"

#include <doctest/doctest.h>

namespace skinbake {

TEST_CASE("fit: R^T R equals the sums of products, for any number of rows") {
  constexpr std::size_t kSize = 37;
  for (const std::size_t row_count : {1, 3, 4, 11}) {
    std::vector<double> rows;
    for (std::size_t i = 0; i < row_count * kSize; ++i) {
      rows.push_back(static_cast<double>((i * 7919) % 101) - 50);
    }
    fit::Gram gram(kSize);
    gram.add(rows.data(), row_count, {});
    for (std::size_t i = 0; i < kSize; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t r = 0; r < row_count; ++r)
          sum += rows[r * kSize + i] * rows[r * kSize + j];
        REQUIRE(gram.lower()[i * kSize + j] == sum);  // integers: exact in any order
      }
    }
  }
}

}  // namespace skinbake
