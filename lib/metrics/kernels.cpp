#include "metrics/kernels.h"

// This file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "math/affine-inl.h"
#include "metrics/position_error/percentiles-inl.h"
#include "metrics/position_error/position_error-inl.h"
#include "metrics/volume/volume-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// This function is compiled per target because the baseline instruction set does not have fma.
inline void move_all(const Affine<double>& m, std::span<double> points) {
  for (std::size_t i = 0; i < points.size(); i += 3) {
    double* p = points.data() + i;
    const Vec3<double> moved = m * Vec3<double>{p[0], p[1], p[2]};
    p[0] = moved.x;
    p[1] = moved.y;
    p[2] = moved.z;
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace skinbake {
namespace {

HWY_EXPORT(move_all);
HWY_EXPORT(measure_errors_here);
HWY_EXPORT(bit_range);
HWY_EXPORT(bin_members);
HWY_EXPORT(add_triangle_volumes);
HWY_EXPORT(cap_volumes);
HWY_EXPORT(pose_triangles);
HWY_EXPORT(pose_cap);

}  // namespace

void move_points(const Affine<double>& m, std::span<double> points) {
  HWY_DYNAMIC_DISPATCH(move_all)(m, points);
}
void measure_errors(const ErrorInput& input, const ErrorOutput& output) {
  HWY_DYNAMIC_DISPATCH(measure_errors_here)(input, output);
}
BitRange range_of_bits(std::span<const float> distances) {
  return HWY_DYNAMIC_DISPATCH(bit_range)(distances);
}
void collect_bins(std::span<const float> distances, const std::array<std::uint32_t, 3>& bins,
                  float* out) {
  HWY_DYNAMIC_DISPATCH(bin_members)(distances, bins, out);
}
std::size_t add_six_volumes(const float* positions, const TrianglePairs& list, VertexIndex end,
                            LaneVolumes& sums) {
  return HWY_DYNAMIC_DISPATCH(add_triangle_volumes)(positions, list, end, sums);
}
LaneVolumes six_volumes(const float* positions, const CapEdges& cap) {
  return HWY_DYNAMIC_DISPATCH(cap_volumes)(positions, cap);
}
PatchMeasure measure_patch(const double* positions, const TrianglePairs& list,
                           std::span<const std::array<VertexIndex, 3>> triangles) {
  return HWY_DYNAMIC_DISPATCH(pose_triangles)(positions, list, triangles);
}
PatchMeasure measure_patch(const double* positions, const CapEdges& cap) {
  return HWY_DYNAMIC_DISPATCH(pose_cap)(positions, cap);
}

}  // namespace skinbake

#endif  // HWY_ONCE
