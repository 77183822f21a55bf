// The sums of a pair of joints (piece_kernels.h) for many vertices, in a time that grows with the
// pieces plus the vertices instead of with their product.
//
// exp(-(p_j t_k - p_k t_j)^2) is smooth in both p and t. Over a box of each it equals, but for
// rounding, its interpolation at N Chebyshev nodes x_i on every axis:
//
//     sum_t a_t K(p, t) = sum_i L_i(p) sum_l K(x_i, x_l) sum_t a_t L_l(t)    L  Lagrange's basis
//
// so that pieces are gathered at nodes, K is evaluated between nodes alone, and vertices read from
// nodes. (Black-box fast multipole methods have the same middle and outer sums: William
// Fong, Eric Darve. The black-box fast multipole method. 2009.) Between a node's basis and points
// stands a grid of cells, in each of which fewer terms suffice.
//
// N: exp(-(s x + c)^2) on [-1, 1], with s the half length of the box times the greatest factor of
// the other vector, needs 14 + 11 s terms for an error of 1e-15 (tests/methods/bind). Beyond s = 12
// there is no expansion.
//
// Terms of a cell: with s the half side of the cell times the greatest sum of the other vector's
// weights, the products of Chebyshev polynomials of degree n together have coefficients below
// 4 (s / 2)^n sqrt(2^n / n!) (Hermite's polynomials times exp(-x^2) are below sqrt(2^n n!)). 12
// terms suffice for s <= 0.2, 8 for s <= 0.03, 4 for s <= 4e-4, without the products of degree 12,
// 8 or 4 and more.

#pragma once

#include <vector>

#include "methods/bind/piece_kernels.h"

namespace skinbake {

// The smallest box that holds the weights of a pair, and their greatest sum.
struct WeightBox {
  double low_j = 1e300, high_j = 0, low_k = 1e300, high_k = 0;
  double high_sum = 0;  // of both

  bool is_empty() const { return low_j > high_j; }
  void add(double j, double k) {
    high_sum = j + k > high_sum ? j + k : high_sum;
    low_j = j < low_j ? j : low_j, high_j = j > high_j ? j : high_j;
    low_k = k < low_k ? k : low_k, high_k = k > high_k ? k : high_k;
  }
};

struct ExpansionTier;  // how finely a box is divided

class PairExpansion {
 public:
  // p: the vertices' weights. t: the pieces' weights over sigma.
  PairExpansion(const WeightBox& p, const WeightBox& t);

  // The time of the expansion for so many pieces and vertices, in units of one vertex with one
  // piece; infinite if there is none.
  double cost(double pieces, double vertices) const;

  // Call in this order: prepare, add for all pieces, finish, at. No piece or vertex may be outside
  // the box.
  void prepare();
  void add(const Pieces& pieces);
  void finish();
  PieceSums at(double p_j, double p_k) const;

  // The error of `at` is below this times the sum of `a` over all pieces. The moment's error is
  // below that times the greatest coordinate of a centroid.
  static constexpr double kError = 1e-14;

 private:
  struct Side {
    ChebyshevAxis j, k;
    std::vector<double> to_nodes_j, to_nodes_k;  // [cell][node][term]
    std::vector<double> nodes_j, nodes_k;        // the nodes' weights
  };

  static Side side(const WeightBox& box, const WeightBox& other, const ExpansionTier& tier);
  std::vector<double> gathered() const;
  std::vector<double> evaluated(const std::vector<double>& at_nodes) const;
  void spread(const std::vector<double>& sums);

  Side p_, t_;
  PieceMoments moments_;              // in the cells of t
  std::vector<double> coefficients_;  // in the cells of p, of the same shape
  bool exists_ = true;
};

}  // namespace skinbake
