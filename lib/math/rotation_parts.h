// Decompositions of linear maps and rotations.

#pragma once

#include <optional>

#include "skinbake/rig.h"

namespace skinbake {

// ---- The polar decomposition A = R S of a linear map: a rotation R and a symmetric stretch S.

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

// ---- The twist of a rotation about an axis; the rest of the rotation is a swing, which turns the
// axis about a line perpendicular to it.
//
//     p = v . a                      q = (w, v) unit quaternion, a unit axis
//     angle = 2 atan2(p, w)          whether the twist or the swing is the first
//
// Returns the angle: -2 pi … 2 pi; opposite quaternions differ by 2 pi. Returns nothing for a
// half-turn swing, which does not determine the twist.
std::optional<double> twist_angle(const Quat<double>& q, const Vec3<double>& axis);

// Returns the angle that differs from `angle` by whole turns and is nearest to `target`; of two
// nearest angles, the greater.
double nearest_turn(double angle, double target);

// Returns the rotation by `angle` about the unit vector `axis` through `pivot`, exact up to
// rounding for fewer than a million turns.
Affine<double> rotation_about(const Vec3<double>& axis, double angle, const Vec3<double>& pivot);

}  // namespace skinbake
