#include "methods/piece_sums.h"

// This file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "math/exp.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Partial sums, added in a fixed order: as many as the widest register has doubles.
inline constexpr std::size_t kSums = 8;

struct PartialSums {
  double area[kSums] = {}, x[kSums] = {}, y[kSums] = {}, z[kSums] = {};
};

// Plain loops, which compilers turn into this instruction set's vectors. Nothing is fused, so that
// all sets agree.
inline void add_pieces(const Pieces& pieces, double p_j, double p_k, PartialSums& sums) {
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

inline void gather_here(Pieces& pieces, double p_j, double p_k, Gathered& gathered) {
  while (pieces.count % kSums != 0) pieces.add(0, 0, 1, 0, {0, 0, 0});
  PartialSums sums;
  add_pieces(pieces, p_j, p_k, sums);
  gathered.area += total(sums.area);
  gathered.moment.x += total(sums.x);
  gathered.moment.y += total(sums.y);
  gathered.moment.z += total(sums.z);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(gather_here);

}  // namespace

void gather(Pieces& pieces, double p_j, double p_k, Gathered& gathered) {
  HWY_DYNAMIC_DISPATCH(gather_here)(pieces, p_j, p_k, gathered);
}

}  // namespace skinbake

#endif  // HWY_ONCE
