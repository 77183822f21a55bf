// The bind of direct delta mush, method `ddm`: moments of each vertex's neighbourhood, per joint.
//
// Binh Huy Le, J. P. Lewis. Direct Delta Mush Skinning and Variants. 2019:
//
//     B = (I + lambda L D^-1)^-p     C = (I + kappa L D^-1)^-p     U_k = (u_k, 1) (u_k, 1)^T
//     Psi_ij = sum_k b_ki w_kj U_k   w'_ij = sum_k c_ki w_kj       sum_j Psi_ij = [P p; p^T 1]
//     Omega_ij = (1 - alpha) Psi_ij + alpha w'_ij [p p^T  p; p^T  1]
//
// i vertex, j joint; u_k, w_kj position and weights of vertex k
//
// Deviations: only the `prune` joints with the greatest Omega_ij(4,4) are kept, and of these, only
// joints whose share exceeds rounding error. The others are omitted before p is summed, so that the
// bind pose is exact; Psi and w' are divided by the remaining sums, so that the shares sum to 1.
// The moments are those about p, which floats represent more precisely: with x = u - p,
//
//     about p  Omega_ij = [Q_ij  x_ij; x_ij^T  w_ij]   sum_j x_ij = 0   sum_j w_ij = 1

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/method.h"
#include "rig/surface/weld.h"

namespace skinbake {

struct MomentParameters {
  double lambda = 3;             // > 0: rotation smoothing per step
  double kappa = 1;              // 0 < kappa < lambda: translation smoothing
  int steps = 20;                // p
  double alpha = 0.8;            // 0 <= alpha < 1: share of C in the translation
  bool cotangent = false;        // the Laplacian: cotangent, else uniform
  std::size_t most_joints = 32;  // limit per vertex; 0: none
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
  std::vector<JointMoment> moments;     // per point, by ascending joint
};

SmoothedMoments smoothed_moments(const Rig& rig, const Vec3<double>& centre,
                                 const WeldedSurface& surface, const MomentParameters& parameters,
                                 const ParallelFor& in_parallel);

// The layout of BindData. The first entry of a vertex describes the neighbourhood: its index is the
// joint of greatest weight; its numbers are p, then kPerSize and kLeast. Each other entry describes
// a joint, its index: the second moment about the joint's own centre e_ij = p + x_ij / w_ij, which
// is Q_ij - x_ij x_ij^T / w_ij, as xx xy xz yy yz zz, then kFirst, kWeight and kCentre.
inline constexpr std::uint32_t kNumbersPerMoment = 13;
inline constexpr std::size_t kPerSize = 3;  // 1 / sum_j tr Q_ij; 0: the size is zero
inline constexpr std::size_t kLeast = 4;    // least |S| over the size that determines a rotation
inline constexpr std::size_t kFirst = 6, kWeight = 9, kCentre = 10;  // x_ij, w_ij, e_ij of a joint

// The parameters of `ddm`.
struct MomentParameter {
  enum Parameter { kVariant, kLambda, kKappa, kSteps, kAlpha, kLaplacian, kPrune };
};

BindData bind_smoothed_moments(const BindInput& input);
BindForm form_of_moments(const BindInput& input);

}  // namespace skinbake
