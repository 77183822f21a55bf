// Implicit smoothing of fields on a surface: x = (I + lambda D^-1 L)^-p f.
//
// L  Laplacian of the surface, positive semidefinite, rows of sum 0; D its diagonal
//
// I + lambda D^-1 L is not symmetric; D + lambda L is, and positive definite, so that p solutions
// of (D + lambda L) x = D f by one Cholesky factorisation do. (Factorising the unsymmetric matrix
// as if it were symmetric is a known mistake: the smoothed weights then do not sum to 1.) Rows of
// sum 0 make every step an average: a constant field stays what it is.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rig/welded_surface.h"

namespace skinbake {

// L as the numbers of its graph.
struct Laplacian {
  std::vector<double> weights;   // [neighbour of WeldedSurface::neighbours] -L_ij, not negative
  std::vector<double> diagonal;  // [point] their sum; 0: the point keeps its value
};

// Every neighbour counts as much as any other.
Laplacian uniform_laplacian(const WeldedSurface& surface);

// (cot a + cot b) / 2 over the triangles of an edge, but not below 0. Triangles without area count
// for nothing. positions: [point].
Laplacian cotangent_laplacian(const WeldedSurface& surface,
                              const std::vector<Vec3<double>>& positions);

class ImplicitSmoother {
 public:
  static constexpr std::size_t kFields = 10;  // that are smoothed together

  // Throws Error (kInput), naming the mesh, if the surface's factor would take more memory than
  // there is: not so for surfaces, but for tangles of triangles.
  ImplicitSmoother(const WeldedSurface& surface, const Laplacian& laplacian, double lambda,
                   std::string_view mesh);

  // Where a point's fields lie.
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
