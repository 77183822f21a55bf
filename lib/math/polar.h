// The polar decomposition A = R S of a linear map: a rotation R and a symmetric stretch S.

#pragma once

#include "skinbake/transform.h"

namespace skinbake {

struct PolarFactors {
  Affine<double> rotation;  // its translation is zero
  Affine<double> stretch;   // R^T A; negative semidefinite if A mirrors, so R is always a rotation
  bool degenerate = false;  // A is nearly singular: R is undetermined, and both are the identity
};

// Decomposes the linear part of `m`. Nicholas J. Higham. Computing the Polar Decomposition, with
// Applications. 1986: X <- (X + X^-T) / 2 converges quadratically to R.
// degenerate: the smallest stretch is below 1e-6 of the greatest, estimated by Frobenius norms,
// which are within a factor of 3 of the ratio of singular values.
PolarFactors polar_factors(const Affine<double>& m);

// The unit quaternion of a rotation matrix; w >= 0.
Quat<double> to_quat(const Affine<double>& rotation);

// Returns R^T A of the linear parts.
Affine<double> stretch_of(const Affine<double>& rotation, const Affine<double>& m);

}  // namespace skinbake
