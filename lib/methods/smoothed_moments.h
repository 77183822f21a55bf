// The moments of a vertex's neighbourhood that follow each joint. Bind time of method `ddm`.
//
// Binh Huy Le, J. P. Lewis. Direct Delta Mush Skinning and Variants. 2019:
//
//     B = (I + lambda L D^-1)^-p     C = (I + kappa L D^-1)^-p     U_k = (u_k, 1) (u_k, 1)^T
//     Psi_ij = sum_k b_ki w_kj U_k   w'_ij = sum_k c_ki w_kj       sum_j Psi_ij = [P p; p^T 1]
//     Omega_ij = (1 - alpha) Psi_ij + alpha w'_ij [p p^T  p; p^T  1]
//
// i vertex, j joint; u_k, w_kj position and weights of vertex k
//
// Where it deviates: joints beyond the `prune` of greatest Omega_ij(4,4), and those whose share is
// lost in rounding anyway, are left out before p is summed, so that the bind pose stays exact;
// Psi and w' are divided by what is left of their sums, so that the shares still sum to 1; and the
// moments are those about p, for the sake of float: with x = u - p,
//
//     about p  Omega_ij = [Q_ij  x_ij; x_ij^T  w_ij]   sum_j x_ij = 0   sum_j w_ij = 1

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "methods/method.h"
#include "rig/welded_surface.h"

namespace skinbake {

struct MomentParameters {
  double lambda = 3;             // > 0: rotation smoothing, a step
  double kappa = 1;              // 0 < kappa < lambda: translation smoothing
  int steps = 20;                // p
  double alpha = 0.8;            // 0 <= alpha < 1: how much of the translation is C's
  bool cotangent = false;        // the Laplacian: cotangents, or every neighbour alike
  std::size_t most_joints = 32;  // of a vertex; 0: no limit
};

struct JointMoment {
  JointIndex joint;
  std::array<double, 6> second;  // Q_ij: xx xy xz yy yz zz
  Vec3<double> first;            // x_ij
  double weight;                 // w_ij
};

struct SmoothedMoments {
  std::vector<Vec3<double>> centroids;  // [point] p, relative to the centre
  std::vector<std::uint32_t> first;     // [point + 1]
  std::vector<JointMoment> moments;     // of a point: by joint
};

SmoothedMoments smoothed_moments(const Rig& rig, const Vec3<double>& centre,
                                 const WeldedSurface& surface, const MomentParameters& parameters,
                                 const ParallelFor& in_parallel);

}  // namespace skinbake
