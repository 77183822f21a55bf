#include "fit/correctives/written_weights.h"

#include <algorithm>

namespace skinbake::fit {

std::vector<double> WrittenWeights::factors() const {
  std::vector<double> factors(keys.size());
  for (std::size_t f = 0; f < keys.size(); ++f) factors[f] = double{keys[f]} - double{rest};
  return factors;
}

WrittenWeights write_weights(const Basis& basis, std::size_t function) {
  const double* const v = basis.weights_of(function);
  const double least = std::min(0.0, *std::min_element(v, v + basis.frame_count));
  const double greatest = std::max(0.0, *std::max_element(v, v + basis.frame_count));
  WrittenWeights written;
  written.range = greatest - least;
  if (!(written.range > 0)) return {0, 0, std::vector<float>(basis.frame_count)};
  written.rest = static_cast<float>(-least / written.range);
  for (std::size_t f = 0; f < basis.frame_count; ++f) {
    written.keys.push_back(static_cast<float>((v[f] - least) / written.range));
  }
  return written;
}

}  // namespace skinbake::fit
