// Kernels of the sums from which centres of rotation are computed (rotation_centres.h). They take
// nearly all of the bind time of method `cor`.

#pragma once

#include <array>
#include <cstddef>

#include "skinbake/transform.h"

namespace skinbake {

// A batch of surface pieces, with their weights for one pair of joints j, k. Six arrays of 8 KB
// stay in the first-level cache.
struct Pieces {
  static constexpr std::size_t kMost = 1024;

  std::size_t count = 0;
  // [piece] Weights t_j and t_k over sigma; t_j t_k A; the same times the piece's centroid.
  std::array<double, kMost> t_j, t_k, a, ax, ay, az;

  void add(double weight_j, double weight_k, double sigma, double area, const Vec3<double>& x) {
    const double scaled = weight_j * weight_k * area;
    t_j[count] = weight_j / sigma, t_k[count] = weight_k / sigma;
    a[count] = scaled, ax[count] = scaled * x.x, ay[count] = scaled * x.y, az[count] = scaled * x.z;
    ++count;
  }
};

// Sums of s A x and of s A over the pieces of one pair of joints, both divided by p_j p_k.
struct PieceSums {
  Vec3<double> moment{0, 0, 0};
  double area = 0;
};

// Adds the sums for a vertex of weights p_j and p_k. Pads `pieces` to a multiple of the lane count.
// Gives the same bits on every instruction set.
void add_pieces(Pieces& pieces, double p_j, double p_k, PieceSums& sums);

// An axis of a Chebyshev expansion (pair_expansion.h): an interval, divided into equal cells.
struct ChebyshevAxis {
  double low = 0, per_cell = 0;  // (x - low) * per_cell is the cell, and the place in it
  std::size_t cells = 1;
  std::size_t terms = 0;  // per cell: 8 or 16
  std::size_t nodes = 0;  // of the interval
};

inline constexpr std::size_t kMostCells = 256;  // cells of j times cells of k
inline constexpr std::size_t kPieceFields = 4;  // a, ax, ay, az

// Adds the pieces' fields times T_m(t_j) T_n(t_k) to the moments of their cells,
// [cell of j][cell of k][field][m][n]. The axes have equally many terms.
void add_moments(const Pieces& pieces, const ChebyshevAxis& j, const ChebyshevAxis& k,
                 double* moments);

// The sum of T_m(p_j) T_n(p_k) times the coefficients of p's cell, of the same shape.
PieceSums expanded_sums(double p_j, double p_k, const ChebyshevAxis& j, const ChebyshevAxis& k,
                        const double* coefficients);

// A matrix by rows.
struct MatrixView {
  const double* values;
  std::size_t rows, columns;
};

// out += a b. All three functions give the same bits on every instruction set.
void add_product(const MatrixView& a, const MatrixView& b, double* out);

}  // namespace skinbake
