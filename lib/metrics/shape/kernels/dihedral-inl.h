// The dihedral angle of two triangles at an edge e = i -> j; 0 if they are coplanar:
//
//     theta = atan2(e/|e| . (n_L x n_R), n_L . n_R)      L: the triangle that runs i -> j
//
// The angle is positive if the edge is a ridge. Normals may have any length.

#if defined(SKINBAKE_METRICS_SHAPE_DIHEDRAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_SHAPE_DIHEDRAL_INL_H_
#undef SKINBAKE_METRICS_SHAPE_DIHEDRAL_INL_H_
#else
#define SKINBAKE_METRICS_SHAPE_DIHEDRAL_INL_H_
#endif

#include "frames/points-inl.h"
#include "math/elementary-inl.h"
#include "metrics/shape/kernels/lane_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real, class Points>
HWY_INLINE Real angle_of(const Points& points, const Hinge& hinge) {
  const Vec3<Real> i = points[hinge.i];
  const Vec3<Real> edge = points[hinge.j] - i;
  const Vec3<Real> left = cross(edge, points[hinge.left] - i);
  const Vec3<Real> right = cross(points[hinge.right] - i, edge);
  // If the length of the edge is zero, so are the normals: any divisor except zero gives 0.
  const Real length = max(norm(edge), splat<Real>(0x1p-500));
  return atan2(dot(edge, cross(left, right)) / length, dot(left, right));
}

inline constexpr double kPi = 0x1.921fb54442d18p1;

inline void sum_hinges_here(const float* positions, std::span<const Hinge> hinges, HingeSums& out) {
  set_row(out.square, 0);
  set_row(out.folds, 0);
  start_max(out.max);
  using Real = DoubleLanes;
  const Real zero = splat<Real>(0), one = splat<Real>(1);
  const Real turn = splat<Real>(2 * kPi), half_turn = splat<Real>(kPi);
  const Real folded = splat<Real>(kPi * 170 / 180);
  for (std::size_t h = 0; h < hinges.size(); ++h) {
    const Real element = splat<Real>(static_cast<double>(h));
    const Real rest = splat<Real>(hinges[h].rest_rad);
    const bool was_open = std::fabs(hinges[h].rest_rad) < kPi / 2;
    const Real fold = splat<Real>(was_open ? 1 : 0);
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const BlockPoints<Real> points{positions + first};
      const Real angle = angle_of<Real>(points, hinges[h]);
      const Real difference = abs(angle - rest);  // below a whole turn
      const Real change = select(less(half_turn, difference), turn - difference, difference);
      add_to(out.square, first, change * change);
      add_to(out.folds, first, fold * select(less(folded, abs(angle)), one, zero));
      take_max(out.max, first, change, element);
    }
  }
}

inline double hinge_angle_here(const double* positions, const Hinge& hinge) {
  return angle_of<double>(PosePoints{positions}, hinge);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
