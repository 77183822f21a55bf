// The product R^T R of residual rows, summed in the order of the rows.

#pragma once

#include <cstddef>
#include <vector>

#include "fit/parallel.h"

namespace skinbake::fit {

class Gram {
 public:
  explicit Gram(std::size_t size) : size_(size), lower_(size * size) {}

  // Adds `row_count` rows of `size` numbers.
  void add(const double* rows, std::size_t row_count, const Workers& workers);

  // [row][column]; the columns up to the row are valid.
  const std::vector<double>& lower() const { return lower_; }

 private:
  void add_block(const double* rows, std::size_t row_count, std::size_t begin, std::size_t end);

  std::size_t size_;
  std::vector<double> lower_;
};

}  // namespace skinbake::fit
