// Implicit smoothing of fields on a surface: x = (I + lambda D^-1 L)^-p f.
//
// L  Laplacian of the surface, positive semidefinite, rows of sum 0; D its diagonal
//
// I + lambda D^-1 L is not symmetric. D + lambda L is symmetric and positive definite; x is
// computed by one Cholesky factorisation and p solutions of (D + lambda L) x = D f. (Factorising
// the unsymmetric matrix as if it were symmetric is a known mistake: the smoothed weights then do
// not sum to 1.) Since the rows of L have the sum 0, every step is an average: it does not change a
// constant field.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rig/surface/weld.h"

namespace skinbake {

// The non-zero entries of L.
struct Laplacian {
  std::vector<double> weights;   // -L_ij >= 0, in the order of WeldedSurface::neighbours
  std::vector<double> diagonal;  // [point] sum of the weights; 0: the point keeps its value
};

// Returns the Laplacian in which all neighbours have equal weights.
Laplacian uniform_laplacian(const WeldedSurface& surface);

// The weight of an edge is max(0, (cot a + cot b) / 2) over its triangles. Triangles without area
// are ignored. positions: [point].
Laplacian cotangent_laplacian(const WeldedSurface& surface,
                              const std::vector<Vec3<double>>& positions);

class ImplicitSmoother {
 public:
  static constexpr std::size_t kFields = 10;  // number of fields that are smoothed together

  // Throws Error (kInput, SURFACE_TANGLED), naming the mesh, if the factorisation would need too
  // much memory or time. That happens only if triangles connect points from all over the mesh.
  ImplicitSmoother(const WeldedSurface& surface, const Laplacian& laplacian, double lambda,
                   std::string_view mesh);

  // The row of a point's fields.
  std::size_t row(PointIndex p) const { return row_of_[p]; }

  // fields: [row][kFields]
  void smooth(int steps, double* fields) const;

 private:
  void solve(double* fields) const;

  std::vector<std::uint32_t> row_of_;  // [point]
  std::vector<double> diagonal_;       // D, 1 where it is 0  [row]
  // The factor's columns below the diagonal, and 1 / diagonal.
  std::vector<std::uint64_t> first_;  // [row + 1]
  std::vector<std::uint32_t> rows_;
  std::vector<double> values_;
  std::vector<double> pivots_;  // [row]
};

}  // namespace skinbake
