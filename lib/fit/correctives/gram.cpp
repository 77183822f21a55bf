#include "fit/correctives/gram.h"

namespace skinbake::fit {

// A thread sums a block of rows of the product.
void Gram::add(const double* rows, std::size_t row_count, const Workers& workers) {
  constexpr std::size_t kBlock = 16;
  workers.run(size_, kBlock,
              [&](std::size_t begin, std::size_t end) { add_block(rows, row_count, begin, end); });
}

// Four rows at a time, so that an element of the product is loaded once for four products.
void Gram::add_block(const double* rows, std::size_t row_count, std::size_t begin,
                     std::size_t end) {
  std::size_t row = 0;
  for (; row + 4 <= row_count; row += 4) {
    const double* const a = rows + row * size_;
    const double* const b = a + size_;
    const double* const c = b + size_;
    const double* const d = c + size_;
    for (std::size_t i = begin; i < end; ++i) {
      double* const sum = lower_.data() + i * size_;
      const double ai = a[i], bi = b[i], ci = c[i], di = d[i];
      for (std::size_t j = 0; j <= i; ++j) {
        sum[j] += (ai * a[j] + bi * b[j]) + (ci * c[j] + di * d[j]);
      }
    }
  }
  for (; row < row_count; ++row) {
    const double* const a = rows + row * size_;
    for (std::size_t i = begin; i < end; ++i) {
      double* const sum = lower_.data() + i * size_;
      for (std::size_t j = 0; j <= i; ++j) sum[j] += a[i] * a[j];
    }
  }
}

}  // namespace skinbake::fit
