// The deformation gradient of a triangle, F = E' E^-1, maps its plane at the baseline into space.
// With C = F^T F = [A B; B D] and the columns f_1, f_2 of F, the singular values of F are
//
//     sigma_1^2 = (A + D + sqrt((A - D)^2 + 4 B^2)) / 2        sigma_2 = |f_1 x f_2| / sigma_1
//
// The textbook formula for sigma_2^2, (tr - sqrt(tr^2 - 4 det)) / 2, suffers from cancellation.
// Energies:
//
//     ARAP                 (sigma_1 - 1)^2 + (sigma_2 - 1)^2
//     symmetric Dirichlet  sigma_1^2 + sigma_2^2 + 1 / sigma_1^2 + 1 / sigma_2^2     4 at rest
//     conformal            (sigma_1^2 + sigma_2^2) / (2 sigma_1 sigma_2)             1 at rest

#if defined(SKINBAKE_METRICS_SHAPE_TRIANGLE_DISTORTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_SHAPE_TRIANGLE_DISTORTION_INL_H_
#undef SKINBAKE_METRICS_SHAPE_TRIANGLE_DISTORTION_INL_H_
#else
#define SKINBAKE_METRICS_SHAPE_TRIANGLE_DISTORTION_INL_H_
#endif

#include "frames/points-inl.h"
#include "metrics/shape/kernels/lane_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline void sum_distortion_here(const float* positions, std::span<const FlatTriangle> triangles,
                                DistortionSums& out) {
  set_row(out.arap, 0);
  set_row(out.dirichlet, 0);
  set_row(out.conformal, 0);
  set_row(out.clamped, 0);
  start_max(out.worst);
  set_row(out.area_ratio_min, std::numeric_limits<double>::infinity());
  set_row(out.area_ratio_max, -std::numeric_limits<double>::infinity());
  using Real = DoubleLanes;
  const Real zero = splat<Real>(0), one = splat<Real>(1), half = splat<Real>(0.5);
  const Real least = splat<Real>(1e-6);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const FlatTriangle& flat = triangles[t];
    const Real element = splat<Real>(static_cast<double>(t)), area = splat<Real>(flat.area_m2());
    const Real along = splat<Real>(1 / flat.x), across = splat<Real>(1 / flat.v);
    const Real slant = splat<Real>(-flat.u / flat.x);
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const BlockPoints<Real> points{positions + first};
      const Vec3<Real> a = points[flat.a];
      const Vec3<Real> side = points[flat.b] - a;
      const Vec3<Real> f1 = along * side;
      const Vec3<Real> f2 = across * fma(slant, side, points[flat.c] - a);
      const Real c11 = dot(f1, f1), c12 = dot(f1, f2), c22 = dot(f2, f2);
      const Real difference = c11 - c22, twice = c12 + c12;
      const Real root = sqrt(fma(difference, difference, twice * twice));
      const Real area_ratio = norm(cross(f1, f2));
      // A triangle that is a point has two singular values of zero.
      const Real exact_s1 = sqrt(half * (c11 + c22 + root));
      const Real exact_s2 = area_ratio / max(exact_s1, splat<Real>(0x1p-500));
      const Real d1 = exact_s1 - one, d2 = exact_s2 - one;
      add_to(out.arap, first, area * fma(d1, d1, d2 * d2));

      const Real s1 = max(exact_s1, least), s2 = max(exact_s2, least);
      const Real squares = fma(s1, s1, s2 * s2), product = s1 * s2;
      const Real dirichlet = squares + squares / (product * product);
      add_to(out.clamped, first, select(less(exact_s2, least), one, zero));
      add_to(out.dirichlet, first, area * dirichlet);
      add_to(out.conformal, first, area * (half * squares / product));
      take_max(out.worst, first, dirichlet, element);
      double* const lowest = out.area_ratio_min.at + first;
      double* const highest = out.area_ratio_max.at + first;
      store(min(load<Real>(lowest), area_ratio), lowest);
      store(max(load<Real>(highest), area_ratio), highest);
    }
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
