// The angle between a skinned normal n and the geometric one g, which is the sum of the triangles'
// unit normals times their angles at the corner:
//
//     atan2(|n x g|, n . g)
//
// which is 0, not NaN, where either is nothing.
//
// Grit Thuermer, Charles A. Wuethrich. Computing Vertex Normals from Polygonal Facets. 1998.

#if defined(SKINBAKE_METRICS_NORMAL_DEVIATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_NORMAL_DEVIATION_INL_H_
#undef SKINBAKE_METRICS_NORMAL_DEVIATION_INL_H_
#else
#define SKINBAKE_METRICS_NORMAL_DEVIATION_INL_H_
#endif

#include <algorithm>

#include "math/elementary-inl.h"
#include "metrics/lane_sums-inl.h"
#include "metrics/points-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

HWY_INLINE void add_normal(double* group, const Vec3<DoubleLanes>& n) {
  store(load<DoubleLanes>(group) + n.x, group);
  store(load<DoubleLanes>(group + kRegisterLanes) + n.y, group + kRegisterLanes);
  store(load<DoubleLanes>(group + 2 * kRegisterLanes) + n.z, group + 2 * kRegisterLanes);
}

// One register of frames: [group][axis][lane].
inline void sum_corner_normals(const BlockPoints<DoubleLanes>& points,
                               std::span<const CornerGroups> triangles, double* sums) {
  for (const CornerGroups& t : triangles) {
    const Vec3<DoubleLanes> a = points[t.corners[0]], b = points[t.corners[1]];
    const Vec3<DoubleLanes> c = points[t.corners[2]];
    const Vec3<DoubleLanes> ab = b - a, bc = c - b, ac = c - a;
    const Vec3<DoubleLanes> normal = cross(ab, ac);
    // The sine of every corner's angle times its sides. A flat triangle adds nothing, not NaN.
    const DoubleLanes twice_area = norm(normal);
    const DoubleLanes inverse = splat<DoubleLanes>(1) / max(twice_area, splat<DoubleLanes>(1e-300));
    const Vec3<DoubleLanes> unit = inverse * normal;
    constexpr std::size_t kGroup = 3 * kRegisterLanes;
    add_normal(sums + t.groups[0] * kGroup, atan2(twice_area, dot(ab, ac)) * unit);
    add_normal(sums + t.groups[1] * kGroup, atan2(twice_area, dot(a - b, bc)) * unit);
    add_normal(sums + t.groups[2] * kGroup, atan2(twice_area, dot(ac, bc)) * unit);
  }
}

inline void measure_normals_here(const NormalInput& input, const NormalOutput& out) {
  static_assert(std::size_t{3} * kRegisterLanes <= kGroupScratch);
  set_row(out.sums->angle, 0);
  start_max(out.sums->max);
  for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
    std::fill_n(out.scratch, input.group_count * 3 * kRegisterLanes, 0.0);
    sum_corner_normals({input.positions + first}, input.triangles, out.scratch);
    const BlockPoints<DoubleLanes> normals{input.normals + first};
    for (std::size_t i = 0; i < input.vertices.size(); ++i) {
      const NormalVertex& v = input.vertices[i];
      const double* const g = out.scratch + v.group * std::size_t{3 * kRegisterLanes};
      const DoubleLanes side =
          load<DoubleLanes>(input.sides + std::size_t{v.joint} * kFramesPerBlock + first);
      const Vec3<DoubleLanes> geometric =
          side * Vec3<DoubleLanes>{load<DoubleLanes>(g), load<DoubleLanes>(g + kRegisterLanes),
                                   load<DoubleLanes>(g + 2 * kRegisterLanes)};
      const Vec3<DoubleLanes> skinned = normals[v.vertex];
      const DoubleLanes angle = atan2(norm(cross(skinned, geometric)), dot(skinned, geometric));
      add_to(out.sums->angle, first, angle);
      take_max(out.sums->max, first, angle, splat<DoubleLanes>(static_cast<double>(v.vertex)));
      alignas(64) double lanes[kRegisterLanes];
      store(angle, lanes);
      for (int lane = 0; lane < kRegisterLanes; ++lane) {
        out.angles[static_cast<std::size_t>(first + lane) * input.vertices.size() + i] =
            static_cast<float>(lanes[lane]);
      }
    }
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
