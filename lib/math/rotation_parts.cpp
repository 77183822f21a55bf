// Decompositions of linear maps and rotations: the polar decomposition, and the twist.

#include <cmath>
#include <numbers>

#include "math/rotation_parts.h"
#include "math/scalar.h"

namespace skinbake {

namespace {

constexpr double kDegenerate = 1e-6;

double frobenius(const Affine<double>& m) {
  return sqrt(dot(m.x, m.x) + dot(m.y, m.y) + dot(m.z, m.z));
}

// The inverse transpose of the linear part: cofactors over the determinant.
Affine<double> inverse_transpose(const Affine<double>& m) {
  const double scale = 1 / determinant(m);
  return {scale * cross(m.y, m.z), scale * cross(m.z, m.x), scale * cross(m.x, m.y), {0, 0, 0}};
}

bool flattens(const Affine<double>& m) {
  const double volume = std::fabs(determinant(m)), size = frobenius(m);
  if (!(volume > 0)) return true;
  return size * frobenius(inverse_transpose(m)) > 1 / kDegenerate;
}

}  // namespace

Affine<double> stretch_of(const Affine<double>& r, const Affine<double>& m) {
  const auto column = [&](const Vec3<double>& a) {
    return Vec3<double>{dot(r.x, a), dot(r.y, a), dot(r.z, a)};
  };
  return {column(m.x), column(m.y), column(m.z), {0, 0, 0}};
}

PolarFactors polar_factors(const Affine<double>& m) {
  if (flattens(m)) return {kIdentity, kIdentity, true};
  // Newton's method converges fastest from a matrix whose stretches are near 1.
  const double size = cbrt(determinant(m));
  Affine<double> x{(1 / size) * m.x, (1 / size) * m.y, (1 / size) * m.z, {0, 0, 0}};
  // A condition number of 1e6 needs about 25 halvings before the convergence becomes quadratic.
  for (int step = 0; step < 40; ++step) {
    const Affine<double> y = inverse_transpose(x);
    const Affine<double> next{0.5 * (x.x + y.x), 0.5 * (x.y + y.y), 0.5 * (x.z + y.z), {0, 0, 0}};
    const Affine<double> change{next.x - x.x, next.y - x.y, next.z - x.z, {0, 0, 0}};
    x = next;
    if (frobenius(change) < 1e-9) break;  // the next error is of the order of its square
  }
  return {x, stretch_of(x, m), false};
}

// Stanley W. Shepperd. Quaternion from Rotation Matrix. 1978: the largest component is computed
// first.
Quat<double> to_quat(const Affine<double>& r) {
  const double trace = r.x.x + r.y.y + r.z.z;
  Quat<double> q;
  if (trace >= r.x.x && trace >= r.y.y && trace >= r.z.z) {
    q = {1 + trace, r.y.z - r.z.y, r.z.x - r.x.z, r.x.y - r.y.x};
  } else if (r.x.x >= r.y.y && r.x.x >= r.z.z) {
    q = {r.y.z - r.z.y, 1 + 2 * r.x.x - trace, r.x.y + r.y.x, r.x.z + r.z.x};
  } else if (r.y.y >= r.z.z) {
    q = {r.z.x - r.x.z, r.x.y + r.y.x, 1 + 2 * r.y.y - trace, r.y.z + r.z.y};
  } else {
    q = {r.x.y - r.y.x, r.x.z + r.z.x, r.y.z + r.z.y, 1 + 2 * r.z.z - trace};
  }
  return std::copysign(1.0, q.w) / norm(q) * q;
}

// Squared length of (w, p a) below which the swing counts as a half turn: within 1e-6 rad of a half
// turn, rounding errors determine the angle.
constexpr double kLeastProjection2 = 1e-12;

std::optional<double> twist_angle(const Quat<double>& q, const Vec3<double>& axis) {
  const double p = dot(vector_part(q), axis);
  if (!(q.w * q.w + p * p >= kLeastProjection2)) return {};  // also for NaN
  return 2 * atan2(p, q.w);
}

double nearest_turn(double angle, double target) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle - kTurn * std::ceil((angle - target) / kTurn - 0.5);
}

Affine<double> rotation_about(const Vec3<double>& axis, double angle, const Vec3<double>& pivot) {
  const auto [s, c] = sin_cos(0.5 * nearest_turn(angle, 0));
  Affine<double> m =
      to_affine(Quat<double>{c, s * axis.x, s * axis.y, s * axis.z}, Vec3<double>{0, 0, 0});
  m.translation = pivot - rotate(m, pivot);
  return m;
}

}  // namespace skinbake
