// Functions of time whose combinations are nearest to the residuals of all vertices.
//
// With R the residuals before skinning, 3 V rows of F frames, those of a vertex scaled as skinning
// does, the first K rows of the basis are the
// eigenvectors of the greatest eigenvalues of R^T R: they leave the least sum of squares of any K
// functions (Carl Eckart, Gale Young. The approximation of one matrix by another of lower rank.
// 1936). R^T R is summed in the order of the vertices, so it does not depend on the threads.

#pragma once

#include <cstdint>
#include <vector>

#include "fit/correctives/residuals.h"
#include "fit/parallel.h"

namespace skinbake::fit {

struct Basis {
  std::size_t frame_count = 0;
  std::size_t count = 0;
  // [function][frame] The weights of the targets in each frame.
  std::vector<double> weights;
  // [function][frame] Factors that give a target from the residuals of a vertex: U = sum_f p(f)
  // r(f).
  std::vector<double> projection;

  const double* weights_of(std::size_t k) const { return weights.data() + k * frame_count; }
  const double* projection_of(std::size_t k) const { return projection.data() + k * frame_count; }
};

// The frames that determine the functions, of so many: the most functions that there can be.
std::size_t basis_frames(std::size_t frames);

// Returns at most `most` functions, the most important one first. Their largest element is
// positive. `weights`: [vertex] factors of the squares of residuals; empty: 1.
Basis find_basis(const Residuals& residuals, std::size_t most, const Workers& workers,
                 const std::vector<double>& weights = {});

}  // namespace skinbake::fit
