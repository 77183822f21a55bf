// Smoothing of surfaces: implicitly, for direct delta mush, and by steps, for delta mush.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "methods/method.h"
#include "rig/surface/weld.h"

namespace skinbake {

// ---- Implicit smoothing of fields on a surface: x = (I + lambda D^-1 L)^-p f.
//
// L  Laplacian of the surface, positive semidefinite, rows of sum 0; D its diagonal
//
// I + lambda D^-1 L is not symmetric. D + lambda L is symmetric and positive definite; x is
// computed by one Cholesky factorisation and p solutions of (D + lambda L) x = D f. (Factorising
// the unsymmetric matrix as if it were symmetric is a known mistake: the smoothed weights then do
// not sum to 1.) Since the rows of L have the sum 0, every step is an average: it does not change a
// constant field.

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

// ---- The bind of delta mush, method `dm`: the smoothing of a mesh, and the deltas that smoothing
// removes, in the frames of the triangles' corners.
//
//     s   = A^n u          n steps of s_i += step (mean of the neighbours' s - s_i), for all points
//                          at once; points on a border are fixed if pin=1
//     F_c = [X Y Z]        at a corner of a triangle, unit edges e_1 and e_2 from it on s:
//                          X = unit(e_1 + e_2), Z = unit(e_1 x e_2), Y = Z x X = unit(e_2 - e_1)
//     d_c = F_c^T (u - s)  the delta, in the corner's frame
//
// A corner is weighted by its angle on s; it is ignored if |e_1 x e_2| <= 1e-6.

// The layout of BindData. The first entry of a vertex: its index is the number of neighbours, its
// number is step / the number of neighbours. Then an entry for each neighbouring point, whose index
// is the point's lowest vertex. Then two entries for each corner, whose indices are the other two
// vertices; the first has the numbers below.
inline constexpr std::uint32_t kNumbersPerCorner = 4;
inline constexpr std::size_t kAngle = 0,
                             kDelta = 1;  // offsets of the angle, and of the angle times d_c

inline constexpr double kLeastSine = 1e-6;  // corners with a smaller |e_1 x e_2| are ignored

// The parameters of `dm`.
struct MushParameter {
  enum Parameter { kBase, kIterations, kStep, kPin, kScale };
};

// Throws Error (kInput, MESH_TOO_LARGE) if there are 2^32 entries or more.
BindData bind_corner_frames(const BindInput& input);

}  // namespace skinbake
