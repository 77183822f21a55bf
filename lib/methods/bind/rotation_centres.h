// Optimised centres of rotation, about which vertices turn: the bind of method `cor`.
//
// Binh Huy Le, Jessica K. Hodgins. Real-Time Skeletal Skinning with Optimized Centers of Rotation.
// 2016. Equations 1 and 4:
//
//     p*(v)  = sum_t s(w_v, w_t) A_t x_t / sum_t s(w_v, w_t) A_t
//     s(p,t) = sum_{j<k} p_j p_k t_j t_k exp(-(p_j t_k - p_k t_j)^2 / sigma^2)
//
// x_t, w_t, A_t  centroid, weights and area of piece t of the surface
//
// Deviations: the paper splits edges until the weights of adjacent vertices are within epsilon, and
// the result depends on the order of the splits. Here each triangle is cut into n^2 congruent
// pieces, with n the longest edge in weight space over epsilon, rounded up. The paper approximates
// the sums; here they are complete. An index by pairs of joints makes that affordable (only
// triangles that share two joints with the vertex contribute), and, where a pair has many vertices
// and pieces, an expansion that is as exact as doubles are (pair_expansion.h). A vertex without
// these triangles is its own centre.

#pragma once

#include <vector>

#include "methods/method.h"

namespace skinbake {

struct CentreParameters {
  double sigma = 0.1;    // > 0: difference of weight vectors up to which points turn together
  double epsilon = 0.1;  // > 0: the longest edge of a piece in weight space
  double most_terms = kMostTerms;

  // Terms of the sums, which are evaluated one by one where a pair is not expanded. A core
  // evaluates some 10^9 in a second: five minutes.
  static constexpr double kMostTerms = 3e11;
};

// [vertex] p*, relative to `centre`.
// Throws Error (kUsage, METHOD_PARAMETER_INVALID) if epsilon cuts the surface into too many pieces,
// or if the sums have too many terms; the terms are counted before the first is evaluated.
std::vector<Vec3<double>> rotation_centres(const Rig& rig, const Vec3<double>& centre,
                                           const CentreParameters& parameters,
                                           const ParallelFor& in_parallel);

// The bind data of `cor` has one entry for each vertex. Its index is 0, its numbers are p*.
inline constexpr std::uint32_t kNumbersPerCentre = 3;
BindForm form_of_centres(const BindInput& input);

}  // namespace skinbake
