#include "methods/bind/piece_kernels.h"

// This file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/bind/piece_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <cstdint>

#include "math/exp.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Number of partial sums: the lanes of doubles in the widest register. They are added in a fixed
// order.
inline constexpr std::size_t kSums = 8;

struct PartialSums {
  double area[kSums] = {}, x[kSums] = {}, y[kSums] = {}, z[kSums] = {};
};

// Plain loops, which compilers vectorise for this instruction set. No multiply-add is fused, so
// that all sets give the same bits.
inline void add_to_partial_sums(const Pieces& pieces, double p_j, double p_k, PartialSums& sums) {
  double closeness[Pieces::kMost];
  for (std::size_t i = 0; i < pieces.count; ++i) {
    const double d = p_j * pieces.t_k[i] - p_k * pieces.t_j[i];
    closeness[i] = exp_of_negative(-(d * d));
  }
  for (std::size_t i = 0; i < pieces.count; i += kSums) {
    for (std::size_t lane = 0; lane < kSums; ++lane) {
      const double s = closeness[i + lane];
      sums.area[lane] += s * pieces.a[i + lane];
      sums.x[lane] += s * pieces.ax[i + lane];
      sums.y[lane] += s * pieces.ay[i + lane];
      sums.z[lane] += s * pieces.az[i + lane];
    }
  }
}

inline double total(const double (&s)[kSums]) {
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

inline void add_pieces_here(Pieces& pieces, double p_j, double p_k, PieceSums& all) {
  while (pieces.count % kSums != 0) pieces.add(0, 0, 1, 0, {0, 0, 0});
  PartialSums sums;
  add_to_partial_sums(pieces, p_j, p_k, sums);
  all.area += total(sums.area);
  all.moment.x += total(sums.x);
  all.moment.y += total(sums.y);
  all.moment.z += total(sums.z);
}

inline std::size_t cell_of(const ChebyshevAxis& axis, double x) {
  const double at = (x - axis.low) * axis.per_cell;
  const std::size_t cell = at > 0 ? static_cast<std::size_t>(at) : 0;
  return cell < axis.cells ? cell : axis.cells - 1;
}

// The cell of x on an axis, and T_0 … T_(kTerms - 1) at its place in the cell.
template <std::size_t kTerms>
struct Place {
  std::size_t cell;
  double t[kTerms];

  Place(const ChebyshevAxis& axis, double x) {
    cell = cell_of(axis, x);
    const double at = (x - axis.low) * axis.per_cell - static_cast<double>(cell);
    const double local = 2 * at - 1;
    t[0] = 1, t[1] = local;
    for (std::size_t i = 2; i < kTerms; ++i) t[i] = 2 * local * t[i - 1] - t[i - 2];
  }
};

// Pieces of one cell, whose moments are added together: a row of moments then stays in registers.
template <std::size_t kTerms>
struct Group {
  static constexpr std::size_t kMost = 8;

  std::size_t count = 0;
  double fields[kMost][kPieceFields] = {};
  double t_j[kMost][kTerms], t_k[kMost][kTerms];

  Group() : t_j{}, t_k{} {}
  void add(const Pieces& pieces, std::size_t i, const Place<kTerms>& j, const Place<kTerms>& k) {
    const double of_piece[kPieceFields] = {pieces.a[i], pieces.ax[i], pieces.ay[i], pieces.az[i]};
    for (std::size_t f = 0; f < kPieceFields; ++f) fields[count][f] = of_piece[f];
    for (std::size_t n = 0; n < kTerms; ++n) t_j[count][n] = j.t[n], t_k[count][n] = k.t[n];
    ++count;
  }
  void add_to(double* row) {
    for (; count < kMost; ++count) {
      for (std::size_t f = 0; f < kPieceFields; ++f) fields[count][f] = 0;
    }
    for (std::size_t f = 0; f < kPieceFields; ++f) {
      for (std::size_t m = 0; m < kTerms; ++m, row += kTerms) {
        double sums[kTerms];
        for (std::size_t n = 0; n < kTerms; ++n) sums[n] = row[n];
        for (std::size_t i = 0; i < kMost; ++i) {
          const double factor = fields[i][f] * t_j[i][m];
          for (std::size_t n = 0; n < kTerms; ++n) sums[n] += factor * t_k[i][n];
        }
        for (std::size_t n = 0; n < kTerms; ++n) row[n] = sums[n];
      }
    }
    count = 0;
  }
};

// The pieces, by cell.
struct ByCell {
  std::uint16_t pieces[Pieces::kMost], cells[Pieces::kMost];  // in this order

  ByCell(const Pieces& batch, const ChebyshevAxis& j, const ChebyshevAxis& k) {
    std::uint16_t first[kMostCells + 1] = {}, of_piece[Pieces::kMost];
    for (std::size_t i = 0; i < batch.count; ++i) {
      const std::size_t cell = cell_of(j, batch.t_j[i]) * k.cells + cell_of(k, batch.t_k[i]);
      of_piece[i] = static_cast<std::uint16_t>(cell);
      ++first[cell + 1];
    }
    for (std::size_t c = 0; c < kMostCells; ++c) {
      first[c + 1] = static_cast<std::uint16_t>(first[c] + first[c + 1]);
    }
    for (std::size_t i = 0; i < batch.count; ++i) {
      const std::uint16_t at = first[of_piece[i]]++;
      pieces[at] = static_cast<std::uint16_t>(i), cells[at] = of_piece[i];
    }
  }
};

template <std::size_t kTerms>
void add_moments_of(const Pieces& pieces, const ChebyshevAxis& axis_j, const ChebyshevAxis& axis_k,
                    double* moments) {
  const ByCell sorted(pieces, axis_j, axis_k);
  Group<kTerms> group;
  for (std::size_t i = 0; i < pieces.count; ++i) {
    const std::size_t piece = sorted.pieces[i], cell = sorted.cells[i];
    group.add(pieces, piece, {axis_j, pieces.t_j[piece]}, {axis_k, pieces.t_k[piece]});
    const bool is_last = i + 1 == pieces.count || sorted.cells[i + 1] != cell;
    if (is_last || group.count == Group<kTerms>::kMost) {
      group.add_to(moments + cell * kPieceFields * kTerms * kTerms);
    }
  }
}

inline void add_moments_here(const Pieces& pieces, const ChebyshevAxis& j, const ChebyshevAxis& k,
                             double* moments) {
  j.terms == 8 ? add_moments_of<8>(pieces, j, k, moments)
               : add_moments_of<16>(pieces, j, k, moments);
}

template <std::size_t kTerms>
PieceSums expanded_sums_of(double p_j, double p_k, const ChebyshevAxis& axis_j,
                           const ChebyshevAxis& axis_k, const double* coefficients) {
  const Place<kTerms> j(axis_j, p_j), k(axis_k, p_k);
  const double* row =
      coefficients + (j.cell * axis_k.cells + k.cell) * kPieceFields * kTerms * kTerms;
  double fields[kPieceFields];
  for (double& field : fields) {
    double columns[kTerms] = {};
    for (std::size_t m = 0; m < kTerms; ++m, row += kTerms) {
      for (std::size_t n = 0; n < kTerms; ++n) columns[n] += j.t[m] * row[n];
    }
    field = 0;
    for (std::size_t n = 0; n < kTerms; ++n) field += columns[n] * k.t[n];
  }
  return {{fields[1], fields[2], fields[3]}, fields[0]};
}

inline PieceSums expanded_sums_here(double p_j, double p_k, const ChebyshevAxis& j,
                                    const ChebyshevAxis& k, const double* coefficients) {
  return j.terms == 8 ? expanded_sums_of<8>(p_j, p_k, j, k, coefficients)
                      : expanded_sums_of<16>(p_j, p_k, j, k, coefficients);
}

inline void add_product_here(const MatrixView& a, const MatrixView& b, double* out) {
  for (std::size_t i = 0; i < a.rows; ++i, out += b.columns) {
    for (std::size_t l = 0; l < a.columns; ++l) {
      const double factor = a.values[i * a.columns + l];
      const double* row = b.values + l * b.columns;
      for (std::size_t q = 0; q < b.columns; ++q) out[q] += factor * row[q];
    }
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(add_pieces_here);
HWY_EXPORT(add_moments_here);
HWY_EXPORT(expanded_sums_here);
HWY_EXPORT(add_product_here);

}  // namespace

void add_pieces(Pieces& pieces, double p_j, double p_k, PieceSums& sums) {
  HWY_DYNAMIC_DISPATCH(add_pieces_here)(pieces, p_j, p_k, sums);
}

void add_moments(const Pieces& pieces, const ChebyshevAxis& j, const ChebyshevAxis& k,
                 double* moments) {
  HWY_DYNAMIC_DISPATCH(add_moments_here)(pieces, j, k, moments);
}

PieceSums expanded_sums(double p_j, double p_k, const ChebyshevAxis& j, const ChebyshevAxis& k,
                        const double* coefficients) {
  return HWY_DYNAMIC_DISPATCH(expanded_sums_here)(p_j, p_k, j, k, coefficients);
}

void add_product(const MatrixView& a, const MatrixView& b, double* out) {
  HWY_DYNAMIC_DISPATCH(add_product_here)(a, b, out);
}

}  // namespace skinbake

#endif  // HWY_ONCE
