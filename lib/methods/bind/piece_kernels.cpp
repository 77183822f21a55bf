#include "methods/bind/piece_kernels.h"

// This file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/bind/piece_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

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

// The place of x in a cell, from -1 to 1.
inline double place_in(const ChebyshevAxis& axis, std::size_t cell, double x) {
  return 2 * ((x - axis.low) * axis.per_cell - static_cast<double>(cell)) - 1;
}

// T_0 … T_(kTerms - 1) at the places of the waiting pieces: values[term][piece].
template <std::size_t kTerms>
HWY_INLINE void chebyshev(const double* at,
                          double (&values)[kTerms][PieceMoments::Waiting::kMost]) {
  for (std::size_t i = 0; i < PieceMoments::Waiting::kMost; ++i) {
    values[0][i] = 1, values[1][i] = at[i];
  }
  for (std::size_t n = 2; n < kTerms; ++n) {
    for (std::size_t i = 0; i < PieceMoments::Waiting::kMost; ++i) {
      values[n][i] = 2 * at[i] * values[n - 1][i] - values[n - 2][i];
    }
  }
}

// Adds pieces to the rows from kRow of a field's moments, whose columns stay in registers.
template <std::size_t kTerms, std::size_t kRow = 0>
HWY_INLINE void add_rows(const double* field, const double (*t_j)[PieceMoments::Waiting::kMost],
                         const double (*t_k)[kTerms], double* moments) {
  constexpr std::size_t kPieces = PieceMoments::Waiting::kMost;
  constexpr std::size_t kColumns = columns_of_row(kRow, kTerms);
  for (std::size_t m = kRow; m < kRow + 4; ++m) {
    double* const row = moments + m * kTerms;
    double sums[kColumns], factors[kPieces];
    for (std::size_t i = 0; i < kPieces; ++i) factors[i] = field[i] * t_j[m][i];
    for (std::size_t n = 0; n < kColumns; ++n) sums[n] = row[n];
    for (std::size_t i = 0; i < kPieces; ++i) {
      for (std::size_t n = 0; n < kColumns; ++n) sums[n] += factors[i] * t_k[i][n];
    }
    for (std::size_t n = 0; n < kColumns; ++n) row[n] = sums[n];
  }
  if constexpr (kRow + 4 < kTerms) add_rows<kTerms, kRow + 4>(field, t_j, t_k, moments);
}

template <std::size_t kTerms>
HWY_INLINE void add_waiting_of(PieceMoments::Waiting& waiting, double* moments) {
  constexpr std::size_t kPieces = PieceMoments::Waiting::kMost;
  for (std::size_t i = waiting.count; i < kPieces; ++i) {
    for (auto& field : waiting.fields) field[i] = 0;
  }
  double t_j[kTerms][kPieces], t_k[kTerms][kPieces], turned[kPieces][kTerms];
  chebyshev<kTerms>(waiting.t_j, t_j);
  chebyshev<kTerms>(waiting.t_k, t_k);
  for (std::size_t i = 0; i < kPieces; ++i) {
    for (std::size_t n = 0; n < kTerms; ++n) turned[i][n] = t_k[n][i];
  }
  for (const auto& field : waiting.fields) {
    add_rows<kTerms>(field, t_j, turned, moments);
    moments += kTerms * kTerms;
  }
  waiting.count = 0;
}

inline void add_waiting_here(std::size_t terms, PieceMoments::Waiting& waiting, double* moments) {
  terms == 4   ? add_waiting_of<4>(waiting, moments)
  : terms == 8 ? add_waiting_of<8>(waiting, moments)
               : add_waiting_of<12>(waiting, moments);
}

inline void add_moments_here(const Pieces& pieces, const ChebyshevAxis& j, const ChebyshevAxis& k,
                             PieceMoments::Waiting* waiting, double* moments) {
  const std::size_t per_cell = kPieceFields * j.terms * j.terms;
  for (std::size_t i = 0; i < pieces.count; ++i) {
    const std::size_t cell_j = cell_of(j, pieces.t_j[i]), cell_k = cell_of(k, pieces.t_k[i]);
    const std::size_t cell = cell_j * k.cells + cell_k;
    PieceMoments::Waiting& in_cell = waiting[cell];
    const std::size_t at = in_cell.count++;
    in_cell.t_j[at] = place_in(j, cell_j, pieces.t_j[i]);
    in_cell.t_k[at] = place_in(k, cell_k, pieces.t_k[i]);
    in_cell.fields[0][at] = pieces.a[i], in_cell.fields[1][at] = pieces.ax[i];
    in_cell.fields[2][at] = pieces.ay[i], in_cell.fields[3][at] = pieces.az[i];
    if (in_cell.count == PieceMoments::Waiting::kMost) {
      add_waiting_here(j.terms, in_cell, moments + cell * per_cell);
    }
  }
}

template <std::size_t kTerms>
HWY_INLINE void chebyshev_at(double at, double (&values)[kTerms]) {
  values[0] = 1, values[1] = at;
  for (std::size_t n = 2; n < kTerms; ++n) values[n] = 2 * at * values[n - 1] - values[n - 2];
}

// Adds the rows from kRow of a field's coefficients, times T_m, to the sums of the columns.
template <std::size_t kTerms, std::size_t kRow = 0>
HWY_INLINE void sum_rows(const double (&t_j)[kTerms], const double* coefficients,
                         double (&columns)[kTerms]) {
  for (std::size_t m = kRow; m < kRow + 4; ++m) {
    for (std::size_t n = 0; n < columns_of_row(kRow, kTerms); ++n) {
      columns[n] += t_j[m] * coefficients[m * kTerms + n];
    }
  }
  if constexpr (kRow + 4 < kTerms) sum_rows<kTerms, kRow + 4>(t_j, coefficients, columns);
}

template <std::size_t kTerms>
PieceSums expanded_sums_of(double p_j, double p_k, const ChebyshevAxis& axis_j,
                           const ChebyshevAxis& axis_k, const double* coefficients) {
  const std::size_t cell_j = cell_of(axis_j, p_j), cell_k = cell_of(axis_k, p_k);
  double t_j[kTerms], t_k[kTerms], fields[kPieceFields];
  chebyshev_at(place_in(axis_j, cell_j, p_j), t_j);
  chebyshev_at(place_in(axis_k, cell_k, p_k), t_k);
  coefficients += (cell_j * axis_k.cells + cell_k) * kPieceFields * kTerms * kTerms;
  for (double& field : fields) {
    double columns[kTerms] = {};
    sum_rows(t_j, coefficients, columns);
    coefficients += kTerms * kTerms;
    field = 0;
    for (std::size_t n = 0; n < kTerms; ++n) field += columns[n] * t_k[n];
  }
  return {{fields[1], fields[2], fields[3]}, fields[0]};
}

inline PieceSums expanded_sums_here(double p_j, double p_k, const ChebyshevAxis& j,
                                    const ChebyshevAxis& k, const double* coefficients) {
  return j.terms == 4   ? expanded_sums_of<4>(p_j, p_k, j, k, coefficients)
         : j.terms == 8 ? expanded_sums_of<8>(p_j, p_k, j, k, coefficients)
                        : expanded_sums_of<12>(p_j, p_k, j, k, coefficients);
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
HWY_EXPORT(add_waiting_here);
HWY_EXPORT(expanded_sums_here);
HWY_EXPORT(add_product_here);

}  // namespace

void add_pieces(Pieces& pieces, double p_j, double p_k, PieceSums& sums) {
  HWY_DYNAMIC_DISPATCH(add_pieces_here)(pieces, p_j, p_k, sums);
}

PieceMoments::PieceMoments(const ChebyshevAxis& j, const ChebyshevAxis& k)
    : j_(j),
      k_(k),
      values_(j.cells * k.cells * kPieceFields * j.terms * k.terms, 0),
      waiting_(j.cells * k.cells) {}

void PieceMoments::add(const Pieces& pieces) {
  HWY_DYNAMIC_DISPATCH(add_moments_here)(pieces, j_, k_, waiting_.data(), values_.data());
}

void PieceMoments::finish() {
  const std::size_t per_cell = kPieceFields * j_.terms * k_.terms;
  for (std::size_t cell = 0; cell < waiting_.size(); ++cell) {
    if (waiting_[cell].count == 0) continue;
    HWY_DYNAMIC_DISPATCH(add_waiting_here)
    (j_.terms, waiting_[cell], values_.data() + cell * per_cell);
  }
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
