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

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(add_pieces_here);

}  // namespace

void add_pieces(Pieces& pieces, double p_j, double p_k, PieceSums& sums) {
  HWY_DYNAMIC_DISPATCH(add_pieces_here)(pieces, p_j, p_k, sums);
}

}  // namespace skinbake

#endif  // HWY_ONCE
