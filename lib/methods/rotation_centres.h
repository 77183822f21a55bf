// Optimised centres of rotation: where each vertex turns about. Bind time of method `cor`.
//
// Binh Huy Le, Jessica K. Hodgins. Real-Time Skeletal Skinning with Optimized Centers of Rotation.
// 2016. Equations 1 and 4:
//
//     p*(v)  = sum_t s(w_v, w_t) A_t x_t / sum_t s(w_v, w_t) A_t
//     s(p,t) = sum_{j<k} p_j p_k t_j t_k exp(-(p_j t_k - p_k t_j)^2 / sigma^2)
//
// x_t, w_t  centroid of piece t of the surface, and its weights; A_t its area
//
// Where it deviates: the paper splits edges until the weights of adjacent vertices are within
// epsilon, and the result depends on the order of the splits. Here each triangle is cut into n^2
// congruent pieces, n the longest edge in weight space over epsilon, rounded up. And no sum is cut
// off: only triangles that share two joints with the vertex contribute, so that an index by pair of
// joints makes all sums affordable. Where there are none the centre is the vertex itself.

#pragma once

#include <vector>

#include "methods/method.h"

namespace skinbake {

struct CentreParameters {
  double sigma = 0.1;    // > 0: how far two weight vectors may differ and still turn together
  double epsilon = 0.1;  // > 0: the longest edge of a piece in weight space
};

// [vertex] p*, relative to `centre`.
// Throws Error (kUsage) if epsilon would cut the surface into more pieces than can be summed.
std::vector<Vec3<double>> rotation_centres(const Rig& rig, const Vec3<double>& centre,
                                           const CentreParameters& parameters,
                                           const ParallelFor& in_parallel);

}  // namespace skinbake
