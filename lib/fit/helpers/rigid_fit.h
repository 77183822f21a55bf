// The rigid motion that brings weighted points nearest to others.
//
//     minimise  sum_i w_i^2 |R u_i + t - q_i|^2      over rotations R and translations t
//
// Berthold K. P. Horn. Closed-form Solution of Absolute Orientation Using Unit Quaternions. 1987:
// the problem. Shinji Umeyama. Least-Squares Estimation of Transformation Parameters Between Two
// Point Patterns. 1991: the determinant, so that R is not a reflection.

#pragma once

#include "skinbake/rig.h"

namespace skinbake::fit {

// Sums over the points of one frame.
struct RigidMoments {
  double weight = 0;            // sum of w^2
  Vec3<double> rest{0, 0, 0};   // sum of w^2 u
  Vec3<double> posed{0, 0, 0};  // sum of w^2 q
  double size = 0;              // sum of w^2 |u|^2
  Affine<double> products{};    // sum of w^2 q u^T: column x has the products with u.x

  void add(double squared_weight, const Vec3<double>& u, const Vec3<double>& weighted_q);
};

// Returns the motion. Where the points do not determine the rotation, on a line or in a single
// point, it is nearest to `usual`. Precondition: moments.weight > 0.
Rigid<double> rigid_fit(const RigidMoments& moments, const Quat<double>& usual);

}  // namespace skinbake::fit
