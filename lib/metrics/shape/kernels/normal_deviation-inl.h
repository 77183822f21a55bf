// The angle between a skinned normal n and the geometric one g (frames/corner_normals-inl.h):
//
//     atan2(|n x g|, n . g)
//
// A vertex without a geometric normal is not measured. The angle is 0, not NaN, if the length of n
// is zero.

#if defined(SKINBAKE_METRICS_SHAPE_NORMAL_DEVIATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_SHAPE_NORMAL_DEVIATION_INL_H_
#undef SKINBAKE_METRICS_SHAPE_NORMAL_DEVIATION_INL_H_
#else
#define SKINBAKE_METRICS_SHAPE_NORMAL_DEVIATION_INL_H_
#endif

#include "frames/corner_normals-inl.h"
#include "metrics/shape/kernels/lane_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline void measure_normals_here(const NormalInput& input, const NormalOutput& out) {
  set_row(out.sums->angle, 0);
  set_row(out.sums->count, 0);
  start_max(out.sums->max);
  const DoubleLanes zero = splat<DoubleLanes>(0), one = splat<DoubleLanes>(1);
  for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
    sum_corner_normals({input.positions + first}, *input.groups, out.scratch);
    const std::vector<CornerVertex>& vertices = input.groups->vertices;
    const BlockPoints<DoubleLanes> normals{input.normals + first};
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const CornerVertex& v = vertices[i];
      const Vec3<DoubleLanes> geometric = summed_normal(out.scratch, v, input.sides + first);
      const Vec3<DoubleLanes> skinned = normals[v.vertex];
      const DoubleLanes full = atan2(norm(cross(skinned, geometric)), dot(skinned, geometric));
      const auto is_normal = has_direction(geometric);
      const DoubleLanes angle = select(is_normal, full, -one);
      add_to(out.sums->angle, first, select(is_normal, full, zero));
      add_to(out.sums->count, first, select(is_normal, one, zero));
      take_max(out.sums->max, first, angle, splat<DoubleLanes>(static_cast<double>(v.vertex)));
      alignas(64) double lanes[kRegisterLanes];
      store(angle, lanes);
      for (int lane = 0; lane < kRegisterLanes; ++lane) {
        out.angles[static_cast<std::size_t>(first + lane) * vertices.size() + i] =
            static_cast<float>(lanes[lane]);
      }
    }
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
