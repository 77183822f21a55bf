// A geometric normal is the sum of the unit normals of the adjacent triangles, weighted by their
// angles at the corner.
//
// Grit Thuermer, Charles A. Wuethrich. Computing Vertex Normals from Polygonal Facets. 1998.

#if defined(SKINBAKE_FRAMES_CORNER_NORMALS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_FRAMES_CORNER_NORMALS_INL_H_
#undef SKINBAKE_FRAMES_CORNER_NORMALS_INL_H_
#else
#define SKINBAKE_FRAMES_CORNER_NORMALS_INL_H_
#endif

#include <algorithm>

#include "frames/corner_normals.h"
#include "frames/points-inl.h"
#include "math/elementary-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline constexpr std::size_t kGroupNumbers = 3 * kRegisterLanes;  // for one register of frames
static_assert(kGroupNumbers <= kGroupScratch);

HWY_INLINE void add_normal(double* group, const Vec3<DoubleLanes>& n) {
  store(load<DoubleLanes>(group) + n.x, group);
  store(load<DoubleLanes>(group + kRegisterLanes) + n.y, group + kRegisterLanes);
  store(load<DoubleLanes>(group + 2 * kRegisterLanes) + n.z, group + 2 * kRegisterLanes);
}

// Sums the normals of every group for one register of frames. `sums`: [group][axis][lane].
inline void sum_corner_normals(const BlockPoints<DoubleLanes>& points, const CornerGroups& groups,
                               double* sums) {
  std::fill_n(sums, groups.count * kGroupNumbers, 0.0);
  for (const CornerTriangle& t : groups.triangles) {
    const Vec3<DoubleLanes> a = points[t.corners[0]], b = points[t.corners[1]];
    const Vec3<DoubleLanes> c = points[t.corners[2]];
    const Vec3<DoubleLanes> ab = b - a, bc = c - b, ac = c - a;
    const Vec3<DoubleLanes> normal = cross(ab, ac);
    // At each corner, twice the area is the sine of the angle times the lengths of the two sides. A
    // triangle without area adds 0, not NaN.
    const DoubleLanes twice_area = norm(normal);
    const DoubleLanes inverse = splat<DoubleLanes>(1) / max(twice_area, splat<DoubleLanes>(1e-300));
    const Vec3<DoubleLanes> unit = inverse * normal;
    add_normal(sums + t.groups[0] * kGroupNumbers, atan2(twice_area, dot(ab, ac)) * unit);
    add_normal(sums + t.groups[1] * kGroupNumbers, atan2(twice_area, dot(a - b, bc)) * unit);
    add_normal(sums + t.groups[2] * kGroupNumbers, atan2(twice_area, dot(ac, bc)) * unit);
  }
}

// Returns the sum that sum_corner_normals computed for a vertex, pointing outwards. A mirroring
// joint reverses the winding of its triangles and thereby their normals; multiplying by the joint's
// side, -1, makes them point outwards again. `sides`: [joint][frame], from the first frame of the
// register.
HWY_INLINE Vec3<DoubleLanes> summed_normal(const double* sums, const CornerVertex& v,
                                           const double* sides) {
  const double* const g = sums + v.group * kGroupNumbers;
  const DoubleLanes side = load<DoubleLanes>(sides + std::size_t{v.joint} * kFramesPerBlock);
  return side * Vec3<DoubleLanes>{load<DoubleLanes>(g), load<DoubleLanes>(g + kRegisterLanes),
                                  load<DoubleLanes>(g + 2 * kRegisterLanes)};
}

// Whether a summed normal is more than the rounding error of opposite normals, whose sum is zero.
HWY_INLINE LanesMask<double> has_direction(const Vec3<DoubleLanes>& sum) {
  return less(splat<DoubleLanes>(1e-12), norm(sum));
}

HWY_INLINE void store_floats(DoubleLanes numbers, float* to) {
  alignas(64) double lanes[kRegisterLanes];
  store(numbers, lanes);
  for (int lane = 0; lane < kRegisterLanes; ++lane) to[lane] = static_cast<float>(lanes[lane]);
}

inline void corner_normals_here(const CornerNormalTask& task) {
  for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
    sum_corner_normals({task.positions + first}, *task.groups, task.scratch);
    for (const CornerVertex& v : task.groups->vertices) {
      const Vec3<DoubleLanes> sum = summed_normal(task.scratch, v, task.sides + first);
      const DoubleLanes length = norm(sum);
      const DoubleLanes is_normal =
          select(has_direction(sum), splat<DoubleLanes>(1), splat<DoubleLanes>(0));
      const Vec3<DoubleLanes> unit = (is_normal / max(length, splat<DoubleLanes>(1e-300))) * sum;
      float* const to = task.normals + std::size_t{v.vertex} * 3 * kFramesPerBlock + first;
      store_floats(unit.x, to);
      store_floats(unit.y, to + kFramesPerBlock);
      store_floats(unit.z, to + 2 * kFramesPerBlock);
    }
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
