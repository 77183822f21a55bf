// The rotation nearest to a matrix, without branches, by + - * / and sqrt only.
//
// S = sum_k w_k y_k x_k^T for two sets of points x_k and y_k. R is the rotation that brings the x_k
// nearest to the y_k: it maximises tr(R^T S). If S = U diag(a, b, c) V^T with rotations U and V and
// a >= b >= |c|, then R = U V^T. R is never a reflection, whatever the sign of det S.
//
// Berthold K. P. Horn. Closed-form Solution of Absolute Orientation Using Unit Quaternions. 1987:
// the quaternion of R is the eigenvector of the greatest eigenvalue l of a symmetric 4 x 4 matrix N
// made of S; l = a + b + c. Its characteristic polynomial is used in a form (ours) that does not
// cancel if b and c are small compared with a, as on patches of a surface:
//
//     (l^2 - f)^2 = 8 d l + 4 h     f = |S|^2, d = det S, h = |cof S|^2
//
// Newton's method solves it from above. The eigenvector is a column of the adjugate of N - l I:
// that matrix's cofactors are its products with itself. The relative error is the error of l over
// the gap between the two greatest eigenvalues, 2 (b + c).

#if defined(SKINBAKE_MATH_PROCRUSTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_MATH_PROCRUSTES_INL_H_
#undef SKINBAKE_MATH_PROCRUSTES_INL_H_
#else
#define SKINBAKE_MATH_PROCRUSTES_INL_H_
#endif

#include <limits>

#include "math/affine-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// A symmetric 4 x 4 matrix: its upper half.
template <class Real>
struct Symmetric4 {
  Real ww, wx, wy, wz, xx, xy, xz, yy, yz, zz;
};

// N of S: q^T N q = tr(R(q)^T S) for a unit quaternion q.
template <class Real>
HWY_INLINE Symmetric4<Real> horn_matrix(const Vec3<Real>& x, const Vec3<Real>& y,
                                        const Vec3<Real>& z) {
  const Real yy_zz = y.y + z.z, yy_less_zz = y.y - z.z;
  return {x.x + yy_zz, y.z - z.y, z.x - x.z,        x.y - y.x, x.x - yy_zz,
          x.y + y.x,   z.x + x.z, yy_less_zz - x.x, y.z + z.y, -x.x - yy_less_zz};
}

// The column of the adjugate of n - l I with the greatest diagonal element. If l is a simple
// eigenvalue the adjugate is a multiple of v v^T, v its eigenvector.
template <class Real>
HWY_INLINE Quat<Real> adjugate_column(const Symmetric4<Real>& n, Real l) {
  const Real ww = n.ww - l, xx = n.xx - l, yy = n.yy - l, zz = n.zz - l;
  const auto minor = [](Real a, Real d, Real b, Real c) HWY_ATTR { return fma(a, d, -(b * c)); };
  // 2 x 2 minors of the last two rows, and of the first two, named by their columns.
  const Real l_wx = minor(n.wy, n.xz, n.wz, n.xy), l_wy = minor(n.wy, n.yz, yy, n.wz);
  const Real l_wz = minor(n.wy, zz, n.yz, n.wz), l_xy = minor(n.xy, n.yz, yy, n.xz);
  const Real l_xz = minor(n.xy, zz, n.yz, n.xz), l_yz = minor(yy, zz, n.yz, n.yz);
  const Real f_wx = minor(ww, xx, n.wx, n.wx), f_wy = minor(ww, n.xy, n.wy, n.wx);
  const Real f_wz = minor(ww, n.xz, n.wz, n.wx), f_xy = minor(n.wx, n.xy, n.wy, xx);
  const Real f_xz = minor(n.wx, n.xz, n.wz, xx), f_yz = l_wx;

  const Real a_ww = fma(xx, l_yz, fma(n.xz, l_xy, -(n.xy * l_xz)));
  const Real a_wx = fma(n.wy, l_xz, -fma(n.wx, l_yz, n.wz * l_xy));
  const Real a_wy = fma(n.xz, f_yz, fma(zz, f_xy, -(n.yz * f_xz)));
  const Real a_wz = fma(yy, f_xz, -fma(n.xy, f_yz, n.yz * f_xy));
  const Real a_xx = fma(ww, l_yz, fma(n.wz, l_wy, -(n.wy * l_wz)));
  const Real a_xy = fma(n.yz, f_wz, -fma(n.wz, f_yz, zz * f_wy));
  const Real a_xz = fma(n.wy, f_yz, fma(n.yz, f_wy, -(yy * f_wz)));
  const Real a_yy = fma(n.wz, f_xz, fma(zz, f_wx, -(n.xz * f_wz)));
  const Real a_yz = fma(n.xy, f_wz, -fma(n.wy, f_xz, n.yz * f_wx));
  const Real a_zz = fma(n.wy, f_xy, fma(yy, f_wx, -(n.xy * f_wy)));

  Quat<Real> best{a_ww, a_wx, a_wy, a_wz};
  Real greatest = abs(a_ww);
  const auto offer = [&](Real diagonal, const Quat<Real>& column) HWY_ATTR {
    const auto better = less(greatest, abs(diagonal));
    greatest = select(better, abs(diagonal), greatest);
    best = {select(better, column.w, best.w), select(better, column.x, best.x),
            select(better, column.y, best.y), select(better, column.z, best.z)};
  };
  offer(a_xx, {a_wx, a_xx, a_xy, a_xz});
  offer(a_yy, {a_wy, a_xy, a_yy, a_yz});
  offer(a_zz, {a_wz, a_xz, a_yz, a_zz});
  return best;
}

template <class Real>
struct NearestRotation {
  Quat<Real> rotation;  // of any length; arbitrary if it is not determined
  Real is_determined;   // 1, or 0 if b is below 1e-6 a, or |S| below the given minimum
};

// S is given by its columns. It is not normalised, to save a square root: the sixth power of its
// size must be finite and not zero.
template <class Real>
HWY_INLINE NearestRotation<Real> nearest_rotation(const Affine<Real>& s, Real least) {
  const Real zero = splat<Real>(0), one = splat<Real>(1), two = splat<Real>(2);
  const Real four = splat<Real>(4), eight = splat<Real>(8);
  const Real tiny = splat<Real>(1e-36);  // below every significant product
  const Vec3<Real> yz = cross(s.y, s.z), zx = cross(s.z, s.x), xy = cross(s.x, s.y);
  const Real f = dot(s.x, s.x) + dot(s.y, s.y) + dot(s.z, s.z);
  const Real d = dot(s.x, yz), h = dot(yz, yz) + dot(zx, zx) + dot(xy, xy);

  // Starts from the root for d = 0. If that is too small, the first step leads above the root,
  // because the polynomial is convex there.
  Real l = sqrt(fma(two, sqrt(h), f));
  const Real eight_d = eight * d, four_h = four * h;
  // Two steps usually suffice; far above a nearly double root, where b = -c, a step only halves the
  // distance. The iteration ends when the remaining error, (value'' / 2 value') change^2, is below
  // the rounding of l. A lane that has converged keeps its value while other lanes continue.
  constexpr int kMostSteps = 20;
  constexpr double kArrived = 8 * std::numeric_limits<Scalar<Real>>::epsilon();
  Real excess = one;
  for (int step = 0; step < kMostSteps; ++step) {
    const auto open = less(zero, excess);
    if (!any(open)) break;
    const Real g = fma(l, l, -f);
    const Real value = fma(g, g, -fma(eight_d, l, four_h));
    const Real slope = max(fma(four * l, g, -eight_d), tiny);
    const Real change = select(open, value / slope, zero);
    const Real bend = fma(splat<Real>(12), g, eight * f);
    excess = fma(bend * change, change, -(splat<Real>(kArrived) * l * slope));
    l = l - change;
  }
  const Quat<Real> q = adjugate_column(horn_matrix(s.x, s.y, s.z), l);
  // b / a is nearly |cof S| / |S|^2 if it is small. With two equal eigenvalues the column is zero.
  const Real determined =
      select(less(h, splat<Real>(1e-12) * f * f), zero,
             select(less(f, least * least), zero, select(less(tiny, dot(q, q)), one, zero)));
  return {q, determined};
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
