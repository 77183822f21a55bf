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

}  // namespace skinbake
