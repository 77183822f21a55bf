#include "methods/bind/pair_expansion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "math/scalar.h"

namespace skinbake {

// s of the header, up to which so many terms suffice in a cell.
struct ExpansionTier {
  std::size_t terms;
  double cell_spread;
};

namespace {

constexpr double kMostSpread = 12;  // s of the header, of a box

constexpr ExpansionTier kTiers[] = {{4, 4e-4}, {8, 0.03}, {12, 0.2}};
constexpr double kMostCellsOfAxis = 8;  // of the first tiers: few, as their moments are cleared

// Chebyshev's nodes on [-1, 1], and the barycentric weights of their Lagrange basis.
struct ChebyshevNodes {
  std::vector<double> x, weight;

  explicit ChebyshevNodes(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto [sine, cosine] = sin_cos(std::numbers::pi * static_cast<double>(2 * i + 1) /
                                          static_cast<double>(2 * count));
      x.push_back(cosine), weight.push_back(i % 2 == 0 ? sine : -sine);
    }
  }

  // Lagrange's basis at a point (Jean-Paul Berrut, Lloyd Trefethen. Barycentric Lagrange
  // Interpolation. 2004. Equation 4.2).
  std::vector<double> basis(double at) const {
    std::vector<double> values(x.size(), 0);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (at == x[i]) {
        std::fill(values.begin(), values.end(), 0.0);
        values[i] = 1;
        return values;
      }
      sum += values[i] = weight[i] / (at - x[i]);
    }
    for (double& value : values) value /= sum;
    return values;
  }
};

// [cell][node][term]: the coefficients, in a cell, of the basis of each node of the interval.
std::vector<double> to_nodes(const ChebyshevAxis& axis) {
  const ChebyshevNodes all(axis.nodes), local(axis.terms);
  std::vector<double> of_all(axis.cells * axis.nodes * axis.terms, 0);
  for (std::size_t cell = 0; cell < axis.cells; ++cell) {
    double* of_cell = of_all.data() + cell * axis.nodes * axis.terms;
    for (std::size_t q = 0; q < axis.terms; ++q) {
      const double place =
          (static_cast<double>(2 * cell + 1) + local.x[q]) / static_cast<double>(axis.cells) - 1;
      const std::vector<double> basis = all.basis(place);
      for (std::size_t m = 0; m < axis.terms; ++m) {
        const double angle = std::numbers::pi * static_cast<double>(m * (2 * q + 1)) /
                             static_cast<double>(2 * axis.terms);
        const double share =
            (m == 0 ? 1.0 : 2.0) / static_cast<double>(axis.terms) * sin_cos(angle).cos;
        for (std::size_t i = 0; i < axis.nodes; ++i)
          of_cell[i * axis.terms + m] += share * basis[i];
      }
    }
  }
  return of_all;
}

std::vector<double> nodes_of(const ChebyshevAxis& axis, double low, double high) {
  std::vector<double> nodes;
  for (const double x : ChebyshevNodes(axis.nodes).x) {
    nodes.push_back((low + high) / 2 + (high - low) / 2 * x);
  }
  return nodes;
}

// factor: the greatest weight by which this one is multiplied. sum: the greatest sum of the other
// vector's weights.
ChebyshevAxis axis_of(double low, double high, double factor, double sum,
                      const ExpansionTier& tier) {
  const double half = (high - low) / 2;
  ChebyshevAxis axis{low, 0, 1, tier.terms, 0};
  axis.cells =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(half * sum / tier.cell_spread)));
  if (axis.cells == 1) {
    axis.nodes = tier.terms;
  } else {
    axis.nodes = static_cast<std::size_t>(std::ceil(14 + 11 * half * factor));
    for (const ExpansionTier& other : kTiers) {
      if (half * factor > other.cell_spread) continue;
      axis.nodes = other.terms;
      break;
    }
  }
  if (high > low) axis.per_cell = static_cast<double>(axis.cells) / (high - low);
  return axis;
}

// s of the header, of the whole box.
double spread_of(const WeightBox& box, const WeightBox& other) {
  return std::max((box.high_j - box.low_j) / 2 * other.high_k,
                  (box.high_k - box.low_k) / 2 * other.high_j);
}

// s of the header, of the box as one cell.
double cell_spread_of(const WeightBox& box, const WeightBox& other) {
  return std::max(box.high_j - box.low_j, box.high_k - box.low_k) / 2 * other.high_sum;
}

const ExpansionTier& tier_of(const WeightBox& p, const WeightBox& t) {
  const double spread = std::max(cell_spread_of(p, t), cell_spread_of(t, p));
  for (const ExpansionTier& tier : kTiers) {
    if (spread <= kMostCellsOfAxis * tier.cell_spread) return tier;
  }
  return kTiers[std::size(kTiers) - 1];
}

MatrixView block(const std::vector<double>& cells, std::size_t cell, std::size_t rows,
                 std::size_t columns) {
  return {cells.data() + cell * rows * columns, rows, columns};
}

std::vector<double> transposed(const MatrixView& m) {
  std::vector<double> turned(m.rows * m.columns);
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t l = 0; l < m.columns; ++l)
      turned[l * m.rows + i] = m.values[i * m.columns + l];
  }
  return turned;
}

double cost_of_cells(const ChebyshevAxis& j, const ChebyshevAxis& k) {
  const double cells_j = static_cast<double>(j.cells), terms = static_cast<double>(j.terms);
  return cells_j * terms * static_cast<double>(k.nodes) *
         (static_cast<double>(k.cells) * terms + static_cast<double>(j.nodes)) / 2;
}

}  // namespace

PairExpansion::Side PairExpansion::side(const WeightBox& box, const WeightBox& other,
                                        const ExpansionTier& tier) {
  Side side;
  side.j = axis_of(box.low_j, box.high_j, other.high_k, other.high_sum, tier);
  side.k = axis_of(box.low_k, box.high_k, other.high_j, other.high_sum, tier);
  side.nodes_j = nodes_of(side.j, box.low_j, box.high_j);
  side.nodes_k = nodes_of(side.k, box.low_k, box.high_k);
  return side;
}

PairExpansion::PairExpansion(const WeightBox& p, const WeightBox& t) {
  const double spread = std::max(spread_of(p, t), spread_of(t, p));
  exists_ = !p.is_empty() && !t.is_empty() && spread <= kMostSpread;
  if (!exists_) return;
  const ExpansionTier& tier = tier_of(p, t);
  p_ = side(p, t, tier), t_ = side(t, p, tier);
}

double PairExpansion::cost(double pieces, double vertices) const {
  if (!exists_) return std::numeric_limits<double>::infinity();
  const double terms = static_cast<double>(p_.j.terms);
  return (pieces + vertices) * terms * (terms + 4) / 8 +
         static_cast<double>(p_.j.nodes * p_.k.nodes) *
             static_cast<double>(t_.j.nodes * t_.k.nodes) +
         cost_of_cells(p_.j, p_.k) + cost_of_cells(t_.j, t_.k);
}

void PairExpansion::prepare() {
  for (Side* side : {&p_, &t_}) {
    side->to_nodes_j = to_nodes(side->j), side->to_nodes_k = to_nodes(side->k);
  }
  moments_ = PieceMoments(t_.j, t_.k);
  coefficients_.assign(p_.j.cells * p_.k.cells * kPieceFields * p_.j.terms * p_.k.terms, 0);
}

void PairExpansion::add(const Pieces& pieces) {
  moments_.add(pieces);
}

void PairExpansion::finish() {
  moments_.finish();
  spread(evaluated(gathered()));
}

PieceSums PairExpansion::at(double p_j, double p_k) const {
  return expanded_sums(p_j, p_k, p_.j, p_.k, coefficients_.data());
}

// The pieces at the nodes of t: [field][node of j][node of k].
std::vector<double> PairExpansion::gathered() const {
  const auto& [j, k, to_j, to_k, nodes_j, nodes_k] = t_;
  std::vector<double> at_nodes(kPieceFields * j.nodes * k.nodes, 0);
  for (std::size_t cell_j = 0; cell_j < j.cells; ++cell_j) {
    for (std::size_t field = 0; field < kPieceFields; ++field) {
      std::vector<double> row(j.terms * k.nodes, 0);
      for (std::size_t cell_k = 0; cell_k < k.cells; ++cell_k) {
        const std::vector<double> from_terms = transposed(block(to_k, cell_k, k.nodes, k.terms));
        add_product(block(moments_.values(), (cell_j * k.cells + cell_k) * kPieceFields + field,
                          j.terms, k.terms),
                    {from_terms.data(), k.terms, k.nodes}, row.data());
      }
      add_product(block(to_j, cell_j, j.nodes, j.terms), {row.data(), j.terms, k.nodes},
                  at_nodes.data() + field * j.nodes * k.nodes);
    }
  }
  return at_nodes;
}

// The sums at the nodes of p, of the same shape: each node is a vertex, and each node of t a piece.
std::vector<double> PairExpansion::evaluated(const std::vector<double>& at_nodes) const {
  const std::size_t t_count = t_.j.nodes * t_.k.nodes, p_count = p_.j.nodes * p_.k.nodes;
  std::vector<PieceSums> sums(p_count);
  const auto pieces = std::make_unique<Pieces>();
  for (std::size_t first = 0; first < t_count; first += Pieces::kMost) {
    pieces->count = 0;
    for (std::size_t t = first; t < std::min(first + Pieces::kMost, t_count); ++t) {
      const std::size_t i = pieces->count++;
      pieces->t_j[i] = t_.nodes_j[t / t_.k.nodes], pieces->t_k[i] = t_.nodes_k[t % t_.k.nodes];
      pieces->a[i] = at_nodes[t], pieces->ax[i] = at_nodes[t_count + t];
      pieces->ay[i] = at_nodes[2 * t_count + t], pieces->az[i] = at_nodes[3 * t_count + t];
    }
    for (std::size_t p = 0; p < p_count; ++p) {
      add_pieces(*pieces, p_.nodes_j[p / p_.k.nodes], p_.nodes_k[p % p_.k.nodes], sums[p]);
    }
  }
  std::vector<double> fields;
  for (const PieceSums& s : sums) fields.push_back(s.area);
  for (const PieceSums& s : sums) fields.push_back(s.moment.x);
  for (const PieceSums& s : sums) fields.push_back(s.moment.y);
  for (const PieceSums& s : sums) fields.push_back(s.moment.z);
  return fields;
}

// From the nodes of p to the cells.
void PairExpansion::spread(const std::vector<double>& sums) {
  const auto& [j, k, to_j, to_k, nodes_j, nodes_k] = p_;
  for (std::size_t cell_j = 0; cell_j < j.cells; ++cell_j) {
    const std::vector<double> from_j = transposed(block(to_j, cell_j, j.nodes, j.terms));
    for (std::size_t field = 0; field < kPieceFields; ++field) {
      std::vector<double> row(j.terms * k.nodes, 0);
      add_product({from_j.data(), j.terms, j.nodes}, block(sums, field, j.nodes, k.nodes),
                  row.data());
      for (std::size_t cell_k = 0; cell_k < k.cells; ++cell_k) {
        add_product({row.data(), j.terms, k.nodes}, block(to_k, cell_k, k.nodes, k.terms),
                    coefficients_.data() +
                        ((cell_j * k.cells + cell_k) * kPieceFields + field) * j.terms * k.terms);
      }
    }
  }
}

}  // namespace skinbake
