// Kernels of the sums from which centres of rotation are computed (rotation_centres.h). They take
// nearly all of the bind time of method `cor`.

#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "skinbake/rig.h"

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
  std::size_t terms = 0;  // per cell: 4, 8 or 12
  std::size_t nodes = 0;  // of the interval
};

inline constexpr std::size_t kPieceFields = 4;  // a, ax, ay, az

// The products T_m(j) T_n(k) of a cell that are summed: row m has the columns n below this. All
// products of a total degree below `terms` are among them, and rows of four are equally long, for
// the registers.
constexpr std::size_t columns_of_row(std::size_t m, std::size_t terms) {
  return terms - m / 4 * 4;
}

// Sums of the pieces' fields times T_m(t_j) T_n(t_k), by cell. Pieces wait in their cell until
// there are eight, which are added together.
class PieceMoments {
 public:
  PieceMoments() = default;
  PieceMoments(const ChebyshevAxis& j, const ChebyshevAxis& k);  // equally many terms

  void add(const Pieces& pieces);
  void finish();  // adds those that wait
  // [cell of j][cell of k][field][m][n]; 0 where columns_of_row leaves a product out
  const std::vector<double>& values() const { return values_; }

  struct Waiting {
    static constexpr std::size_t kMost = 8;
    std::size_t count = 0;
    double t_j[kMost] = {}, t_k[kMost] = {};  // places in the cell, -1 to 1
    double fields[kPieceFields][kMost] = {};
  };

 private:
  ChebyshevAxis j_{}, k_{};
  std::vector<double> values_{};
  std::vector<Waiting> waiting_{};  // [cell of j][cell of k]
};

// The sum of T_m(p_j) T_n(p_k) times the coefficients of p's cell, of the shape of PieceMoments.
PieceSums expanded_sums(double p_j, double p_k, const ChebyshevAxis& j, const ChebyshevAxis& k,
                        const double* coefficients);

// A matrix by rows.
struct MatrixView {
  const double* values;
  std::size_t rows, columns;
};

// out += a b. All of these functions give the same bits on every instruction set.
void add_product(const MatrixView& a, const MatrixView& b, double* out);

}  // namespace skinbake
